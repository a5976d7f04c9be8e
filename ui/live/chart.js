// A Plotly chart that stays: each new figure goes into the same plot with Plotly.react, so that zoom, camera and hidden traces survive.

const loading = {};
// The last frames of each chart, for one that is built anew: in another language, or at another place of the page.
const kept = (window.ropeFrames ??= new Map());
const PATIENCE = 15_000; // milliseconds for the script, which comes from where the page came from
const SOON = 250; // milliseconds

// The script that came with the installed plotly package; one tag for all charts of the page.
function plotly(address) {
  loading[address] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(`cannot load ${address}`));
    setTimeout(() => reject(new Error(`no answer from ${address}`)), PATIENCE);
    document.head.append(script);
  });
  return loading[address];
}

const ARRAYS = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
};

// A message as ui/live/wire.py writes it: the length of the JSON, the JSON, the arrays.
function read(data) {
  const bytes = new Uint8Array(data); // a copy, which begins at a multiple of eight
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const start = 4 + length + ((8 - ((4 + length) % 8)) % 8);
  const revive = (key, part) => (part?.shape && part.dtype ? array(bytes.buffer, start, part) : part);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)), revive);
}

function array(buffer, start, { at, dtype, shape, low, step, nothing }) {
  const [rows, columns] = shape.length > 1 ? shape : [1, shape[0]];
  let cells = new ARRAYS[dtype](buffer, start + at, rows * columns);
  if (step !== undefined) cells = Float32Array.from(cells, (cell) => (cell === nothing ? NaN : low + cell * step));
  if (shape.length < 2) return cells;
  return Array.from({ length: rows }, (_, row) => cells.subarray(row * columns, (row + 1) * columns));
}

// Streamlit gives the colours and fonts of the theme as CSS variables; figures bring none of their own for text, grid and ground.
function themed(layout, box) {
  const style = getComputedStyle(box);
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const text = read("--st-text-color", "#444444");
  const line = read("--st-border-color-light", read("--st-border-color", "rgba(128, 128, 128, 0.3)"));
  const font = { family: read("--st-font", "sans-serif"), color: text, size: 14 };
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickfont: { size: 12 }, automargin: true };
  const clear = "rgba(0, 0, 0, 0)";
  const modebar = { bgcolor: clear, color: text, activecolor: read("--st-primary-color", text) };
  const ground = { paper_bgcolor: clear, plot_bgcolor: clear, font, modebar, hoverlabel: { font: { family: font.family } } };
  const given = layout.template?.layout ?? {};
  const template = { ...layout.template, layout: { ...given, ...ground, xaxis: { ...axis, ...given.xaxis }, yaxis: { ...axis, ...given.yaxis } } };
  // A finger on the figure scrolls the page; the buttons of the figure zoom.
  const touch = window.matchMedia("(pointer: coarse)").matches ? { dragmode: false } : {};
  return { ...touch, ...layout, ...legendBelow(layout, box), template };
}

// On a telephone the legend has many lines: below the figure they do not push it out of sight. Buttons of the figure stand there already.
function legendBelow({ legend, margin, updatemenus }, box) {
  if (box.clientWidth >= 500 || updatemenus || legend?.y !== undefined) return {};
  return { legend: { ...legend, yref: "container", y: 0, yanchor: "bottom" }, margin: { ...margin, t: Math.min(margin.t, 40) } };
}

// Where a page is presented, the screen says how high its figure is drawn.
const presented = (box) => parseFloat(getComputedStyle(box).getPropertyValue("--rope-chart-height"));

async function draw(state) {
  if (state.busy) return;
  state.busy = true;
  while (state.wanted && !state.gone) {
    const wanted = state.wanted;
    state.wanted = null;
    const { figure, alt, words } = wanted;
    const height = isFull(state.box) ? window.innerHeight : presented(state.box) || figure.layout.height;
    state.box.style.height = `${height}px`;
    const lib = await plotly(wanted.plotly);
    if (state.gone) return;
    const layout = { ...themed(figure.layout, state.box), height };
    const given = keepZoom(state, layout);
    forgetCommands(state.box);
    await lib.react(state.box, figure.data, layout, configuration(lib, state, words));
    if (!state.drawn) listen(lib, state);
    state.drawn = ranges(state.box);
    for (const [name, range] of Object.entries(given)) {
      state.drawn[name] = String(range);
      returnTo(state.box._fullLayout[name], range);
    }
    await takeFrames(lib, state, wanted);
    state.box.setAttribute("aria-label", alt);
    openToKeys(lib, state.box);
    if (state.box._fullLayout.width !== state.box.clientWidth) lib.Plots.resize(state.box);
    state.box.dataset.step = wanted.step;
    await new Promise(requestAnimationFrame);
    document.dispatchEvent(new CustomEvent("rope-drawn", { detail: wanted.step }));
  }
  state.busy = false;
}

async function takeFrames(lib, state, { key, framesId }) {
  const known = framesId ? kept.get(key) : { framesId, frames: [] };
  state.lacking = known?.framesId !== framesId && state.framesId !== framesId;
  if (state.lacking) return askSoon(state, framesId);
  if (state.framesId === framesId) return;
  state.framesId = framesId;
  await replaceFrames(lib, state.box, known.frames);
}

// Frames whose message was lost, as the next one overtook it. Not at once: a browser sends all that its controls hold, and those that came with
// this figure have yet to learn what they were set to.
function askSoon(state, framesId) {
  clearTimeout(state.asking);
  state.asking = setTimeout(() => state.lacking && !state.gone && state.ask("frames", framesId), SOON);
}

function listen(lib, state) {
  state.box.on("plotly_relayout", () => noteZoom(state));
  state.box.on("plotly_afterplot", () => openToKeys(lib, state.box));
  state.box.on("plotly_sliderchange", ({ slider }) => describeScrubber(state.box, slider));
}

function ranges(box) {
  const axes = Object.entries(box._fullLayout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(axes.map(([name, axis]) => [name, String(axis.range)]));
}

// A figure may bring other ranges than the last one; where a reader has zoomed, hers stay as long as the axes mean the same.
function keepZoom(state, layout) {
  if (state.meaning !== layout.uirevision) state.zoomed.clear();
  state.meaning = layout.uirevision;
  const given = {};
  for (const name of state.zoomed) {
    given[name] = layout[name]?.range;
    layout[name] = { ...layout[name], range: [...state.box._fullLayout[name].range], autorange: false };
  }
  return given;
}

// A double click, and the button for it, go back to what the newest figure brought: Plotly would take the zoom that was kept for it.
function returnTo(axis, range) {
  [axis._rangeInitial0, axis._rangeInitial1] = range ?? [];
}

// Note which axes are not as they were drawn; a double click brings them back.
function noteZoom(state) {
  for (const [name, range] of Object.entries(ranges(state.box))) {
    if (range === state.drawn[name] || state.box._fullLayout[name].autorange) state.zoomed.delete(name);
    else state.zoomed.add(name);
  }
}

// Plotly's own buttons and sliders listen to the plot, and are made anew by every react, without an end to the listening of the old ones.
function forgetCommands(box) {
  box._internalEv?.removeAllListeners();
  for (const control of [...(box._fullLayout?.sliders ?? []), ...(box._fullLayout?.updatemenus ?? [])]) delete control._commandObserver;
}

async function replaceFrames(lib, box, frames) {
  const old = box._transitionData?._frames?.length ?? 0;
  // One by one, from the end: given many, Plotly sorts their indices as text, and stumbles over the eleventh.
  for (let last = old - 1; last >= 0; last -= 1) await lib.deleteFrames(box, [last]);
  if (frames.length) await lib.addFrames(box, frames);
}

// The same object every time: for another configuration Plotly would build the plot anew, and forget which traces are hidden.
function configuration(lib, state, words) {
  const said = JSON.stringify(words);
  if (state.said === said) return state.configuration;
  state.said = said;
  state.framesId = null; // a plot built anew has no frames
  const full = { name: "fullscreen", title: words["Full screen"], icon: lib.Icons.zoombox, click: () => toggleFullScreen(state) };
  const picture = (format, icon) => ({ name: format, title: words[format], icon, click: () => save(lib, state.box, format, words.file) });
  const without = ["select2d", "lasso2d", "toImage"]; // nothing comes of a selection; our pictures have a ground
  const added = [picture("png", lib.Icons.camera), picture("svg", lib.Icons.disk), full];
  const buttons = { showSendToCloud: false, modeBarButtonsToAdd: added, modeBarButtonsToRemove: without };
  const speech = { locale: "page", locales: { page: { dictionary: words } } };
  state.configuration = { displaylogo: false, scrollZoom: false, responsive: true, ...speech, ...buttons };
  return state.configuration;
}

// A picture for paper: as the figure stands, zoom and hidden traces included, but dark on white whatever the theme.
function save(lib, box, format, filename) {
  const { width, height } = box._fullLayout;
  const { template, ...layout } = box.layout;
  const ink = "#31333f";
  const line = "#e6e8ec";
  const { xaxis, yaxis, ...rest } = template.layout;
  const paper = (axis) => ({ ...axis, gridcolor: line, linecolor: line, zerolinecolor: "#c8ccd4" });
  const ground = { paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", font: { ...rest.font, color: ink } };
  const look = { ...rest, ...ground, xaxis: paper(xaxis), yaxis: paper(yaxis) };
  const { updatemenus, sliders, ...still } = layout; // nothing moves on paper
  const figure = { data: box.data, layout: { ...still, width, height, template: { ...template, layout: look } } };
  return lib.downloadImage(figure, { format, filename, width, height, scale: format === "png" ? 2 : 1 });
}

// Plotly's own controls in the plot know the mouse alone: buttons such as Play, the entries of the legend, the slider of frames.
function openToKeys(lib, box) {
  for (const button of box.querySelectorAll(".updatemenu-button")) describe(button, { role: "button", "aria-label": button.textContent });
  for (const entry of box.querySelectorAll(".legend .traces")) {
    const name = entry.querySelector("text")?.textContent;
    describe(entry, { role: "button", "aria-label": name, "aria-pressed": entry.__data__[0].trace.visible === true });
  }
  describeScrubber(box, box._fullLayout.sliders?.[0]);
  box.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const button = event.target.closest(".updatemenu-button, .legend .traces");
    if (button && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      if (!event.repeat) press(button);
    } else if (event.target.closest(".slider-container")) scrub(lib, box, event);
  };
}

function describe(part, attributes) {
  for (const [name, value] of Object.entries({ tabindex: 0, ...attributes })) part.setAttribute(name, value);
}

// As the mouse would: only what comes that way does Plotly keep hidden when the next figure comes.
function press(button) {
  const toggle = button.querySelector(".legendtoggle");
  for (const kind of toggle ? ["mousedown", "mouseup"] : ["click"]) {
    (toggle ?? button).dispatchEvent(new MouseEvent(kind, { bubbles: true }));
  }
}

function describeScrubber(box, slider) {
  const part = box.querySelector(".slider-container .slider-group");
  if (!part || !slider) return;
  const prefix = slider.currentvalue.prefix ?? "";
  const label = slider.steps[slider.active].label;
  const values = { "aria-valuemin": 0, "aria-valuemax": slider.steps.length - 1, "aria-valuenow": slider.active };
  describe(part, { role: "slider", "aria-label": prefix.trim(), "aria-valuetext": `${prefix}${label}`, ...values });
}

// Plotly's slider follows the frame that is drawn.
function scrub(lib, box, event) {
  const { steps, active } = box._fullLayout.sliders[0];
  const last = steps.length - 1;
  const goals = { ArrowRight: active + 1, ArrowUp: active + 1, ArrowLeft: active - 1, ArrowDown: active - 1, Home: 0, End: last };
  if (!(event.key in goals)) return;
  event.preventDefault();
  const { method, args } = steps[Math.min(Math.max(goals[event.key], 0), last)];
  lib[method](box, ...args).catch(() => {}); // the next key interrupts this one
}

const isFull = (box) => document.fullscreenElement === box || box.classList.contains("rope-full");

// A telephone may have no full screen: there the figure covers the page.
function toggleFullScreen({ box, again }) {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (box.requestFullscreen) box.requestFullscreen();
  else {
    box.classList.toggle("rope-full");
    again();
  }
}

// Streamlit calls this for every message and every change of theme, and what it returns once, when the chart leaves the page.
export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".rope-chart");
  const state = (box.ropeState ??= { box, wanted: null, busy: false, gone: false, framesId: null, zoomed: new Set() });
  state.ask = setTriggerValue;
  state.last = state.wanted = read(data);
  const { key, framesId, frames } = state.last;
  if (frames) kept.set(key, { framesId, frames }); // before it is drawn: the next message may come first
  const fail = (error) => {
    state.busy = false;
    if (state.gone) return;
    console.warn(error);
    setTriggerValue("failed", String(error));
  };
  draw(state).catch(fail);
  document.removeEventListener("fullscreenchange", state.again);
  state.again = () => {
    state.wanted ??= state.last;
    draw(state).catch(fail);
  };
  document.addEventListener("fullscreenchange", state.again);
  return () => {
    state.gone = true;
    document.removeEventListener("fullscreenchange", state.again);
    window.Plotly?.purge(box);
    box.ropeState = undefined;
  };
}
