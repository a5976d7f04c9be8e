// A figure with its sentences. Each new figure goes into the same plot with Plotly.react, so that zoom, camera and hidden traces survive. While
// a number is dragged, the answers of the route /view follow it; when it is released, a run of the script brings the same figure.

const loading = {};
const PATIENCE = 15_000; // milliseconds for the script, which comes from where the page came from
const LEAST = 360; // pixels of a figure's height
const PHONE = 640; // pixels of a screen's width
const CALM = 100; // milliseconds after a run before the address is looked at

// The script that came with the installed plotly package; one tag for all figures of the page.
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

// A message as server/wire.py writes it: the length of the JSON, the JSON, the arrays.
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
function themed(layout, { box, width }) {
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
  return { ...touch, ...layout, ...legendBelow(layout, width), template };
}

// On a telephone the legend has many lines: below the figure they do not push it out of sight.
function legendBelow({ legend, margin }, width) {
  if (width >= 500 || legend?.y !== undefined) return {};
  return { legend: { ...legend, yref: "container", y: 0, yanchor: "bottom" }, margin: { ...margin, t: Math.min(margin.t, 40) } };
}

// What the screen leaves: of the height below the top of the figure, what stands under it in view takes its part.
function heightOf(box) {
  if (isFull(box)) return window.innerHeight;
  const presented = parseFloat(getComputedStyle(box).getPropertyValue("--rope-figure-height"));
  if (presented) return presented;
  if (window.innerWidth <= PHONE) return LEAST;
  const top = box.getBoundingClientRect().top + (document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0);
  const below = parseFloat(getComputedStyle(box).getPropertyValue("--rope-below")) || 150;
  return Math.round(Math.min(Math.max(window.innerHeight - top - below, LEAST), Math.max(LEAST, box.clientWidth)));
}

// One plot of the component: the figure, and while heat maps are compared the difference under it.
class Plot {
  constructor(box) {
    Object.assign(this, { box, zoomed: new Set() });
  }

  async draw(lib, { figure, alt }, words) {
    if (!this.height) this.measure();
    const { height, width } = this;
    // A copy: Plotly writes into it the ranges that it has fitted to the room, and the same figure may be drawn again in another.
    const layout = { ...themed(structuredClone(figure.layout), this), height, width };
    const given = keepZoom(this, layout);
    await lib.react(this.box, figure.data, layout, configuration(lib, this, words));
    if (!this.drawn) this.listen();
    this.drawn = ranges(this.box);
    for (const [name, range] of Object.entries(given)) {
      this.drawn[name] = String(range);
      returnTo(this.box._fullLayout[name], range);
    }
    this.box.setAttribute("aria-label", alt);
  }

  // Once a drag: whoever asks for a size has the browser lay out the whole page.
  measure() {
    this.height = heightOf(this.box);
    this.box.style.height = `${this.height}px`;
    this.width = this.box.clientWidth;
  }

  hasOtherRoom() {
    return this.height && !this.box.hidden && (heightOf(this.box) !== this.height || this.box.clientWidth !== this.width);
  }

  listen() {
    openToKeys(this.box);
    this.box.on("plotly_relayout", (change) => noteZoom(this, change));
    this.box.on("plotly_afterplot", () => openToKeys(this.box));
  }
}

function ranges(box) {
  const axes = Object.entries(box._fullLayout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(axes.map(([name, axis]) => [name, String(axis.range)]));
}

// A figure may bring other ranges than the last one; where a reader has zoomed, the zoom stays as long as the axes mean the same.
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

// Note which axes are not as they were drawn; a double click brings them back. Another size changes ranges too, where axes share a scale.
function noteZoom(state, change) {
  const byReader = Object.keys(change).some((name) => /^[xy]axis/.test(name));
  for (const [name, range] of Object.entries(ranges(state.box))) {
    if (!byReader && !state.zoomed.has(name)) state.drawn[name] = range;
    if (range === state.drawn[name] || state.box._fullLayout[name].autorange) state.zoomed.delete(name);
    else if (byReader) state.zoomed.add(name);
  }
}

// The same object every time: for another configuration Plotly would build the plot anew, and forget which traces are hidden.
function configuration(lib, state, words) {
  const said = JSON.stringify(words);
  if (state.said === said) return state.configuration;
  state.said = said;
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
  const figure = { data: box.data, layout: { ...layout, width, height, template: { ...template, layout: look } } };
  return lib.downloadImage(figure, { format, filename, width, height, scale: format === "png" ? 2 : 1 });
}

// Plotly's legend knows the mouse alone.
function openToKeys(box) {
  for (const entry of box.querySelectorAll(".legend .traces")) {
    const name = entry.querySelector("text")?.textContent;
    const pressed = entry.__data__[0].trace.visible === true;
    const attributes = { tabindex: 0, role: "button", "aria-label": name, "aria-pressed": pressed };
    for (const [key, value] of Object.entries(attributes)) entry.setAttribute(key, value);
  }
  box.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const entry = event.target.closest(".legend .traces");
    if (!entry || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) press(entry);
  };
}

// As the mouse would: only what comes that way does Plotly keep hidden when the next figure comes.
function press(entry) {
  for (const kind of ["mousedown", "mouseup"]) {
    entry.querySelector(".legendtoggle").dispatchEvent(new MouseEvent(kind, { bubbles: true }));
  }
}

const isIdle = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";

const isFull = (box) => document.fullscreenElement === box || box.classList.contains("rope-full");

// A telephone may have no full screen: there the figure covers the page.
function toggleFullScreen(plot) {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (plot.box.requestFullscreen) plot.box.requestFullscreen();
  else {
    plot.box.classList.toggle("rope-full");
    document.dispatchEvent(new Event("fullscreenchange"));
  }
}

class LiveView {
  constructor(root, fail) {
    const part = (name) => root.querySelector(`.rope-${name}`);
    Object.assign(this, { root, fail, verdict: part("verdict"), sentences: part("sentences"), compared: part("compared") });
    this.plots = [...root.querySelectorAll(".rope-figure")].map((box) => new Plot(box));
    const on = (target, kind, act, capture = false) => target.addEventListener(kind, act, { signal: this.ending.signal, capture });
    const more = part("more");
    on(more, "click", () => more.setAttribute("aria-expanded", document.documentElement.classList.toggle("rope-open")));
    on(document, "rope-input", ({ detail }) => this.follow(detail));
    on(document, "rope-release", () => (this.dragged = null));
    on(document, "pointerdown", () => this.motion?.end(), true); // Streamlit's controls keep some of it to themselves
    on(document, "keydown", (event) => this.press(event), true);
    on(document, "fullscreenchange", () => this.redraw());
    on(window, "resize", () => this.redraw());
    this.runs = new MutationObserver(() => this.reconcile());
    this.runs.observe(document.querySelector("[data-testid=stApp]"), { attributeFilter: ["data-test-script-state"] });
    this.room = new ResizeObserver(() => this.refit());
    this.room.observe(document.querySelector("[data-testid=stMainBlockContainer]"));
  }

  ending = new AbortController();

  // What a run of the script says; while a number is dragged, its settings and not its figure.
  update(data) {
    const { view, motion, ...page } = data;
    const isNew = this.page && this.page.query !== page.query; // else it is shown again, as when the theme has changed
    this.page = page;
    this.root.querySelector(".rope-more").textContent = page.words.more;
    if (page.replace !== null) replaceAddress(page.replace);
    if (isNew) this.motion = this.ghost = null;
    if (this.dragged) return this.fetch();
    if (this.motion) return (this.motion.final = read(view));
    if (!isNew || !motion) return this.show(read(view));
    this.motion = new Motion(this, motion, read(view));
    this.motion.play();
  }

  // Where Back is pressed while a run is under way, the address that this run brings comes last; what the page shows counts.
  reconcile() {
    clearTimeout(this.calm);
    this.calm = isIdle() ? setTimeout(() => this.agree(), CALM) : null;
  }

  agree() {
    this.calm = null;
    if (isIdle()) replaceAddress(this.page.address);
  }

  // What stands above the figure, such as a notice, may come later, and grow.
  refit() {
    if (!this.dragged && this.plots.some((plot) => plot.hasOtherRoom())) this.redraw();
  }

  follow({ name, value }) {
    if (!this.dragged) this.forgetSizes();
    this.motion = this.ghost = null;
    this.dragged = { name, value };
    this.fetch();
  }

  // Any key ends a motion; Enter in a list of options commits to the chosen one, as it does in a field.
  press({ key, target, repeat }) {
    if (repeat) return;
    this.motion?.end();
    if (key !== "Enter" || !target.matches?.(".st-key-question input[type=radio]")) return;
    const buttons = [...document.querySelectorAll(".st-key-step-commit button")];
    buttons.find((button) => button.getClientRects().length)?.click();
  }

  // The newest value goes out when the answer to the last one is drawn.
  async fetch() {
    if (this.fetching) return;
    this.fetching = true;
    while (this.dragged && this.dragged !== this.asked && !this.ending.signal.aborted) {
      const asked = (this.asked = this.dragged);
      const address = new URLSearchParams(this.page.query);
      address.set(asked.name, asked.value);
      const shown = await this.ask(address);
      // A value that was released meanwhile comes with its run.
      if (shown && this.dragged) await this.show(shown);
      else if (!shown) document.dispatchEvent(new CustomEvent("rope-drawn"));
    }
    this.fetching = false;
  }

  // What the route says of an address; null if nothing.
  async ask(address) {
    const body = this.page.body ? { method: "POST", body: this.page.body } : {};
    const answer = await fetch(`${this.page.route}?${address}`, { ...body, signal: this.ending.signal }).catch(() => null);
    const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null;
    return bytes && read(bytes);
  }

  async show(shown) {
    this.shown = shown;
    if (this.drawing) return this.drawing;
    this.drawing = this.draw().catch(this.fail);
    await this.drawing;
    this.drawing = null;
  }

  async draw() {
    const lib = await plotly(this.page.plotly);
    while (this.shown && !this.ending.signal.aborted) {
      const shown = this.shown;
      this.shown = null;
      this.last = shown;
      this.verdict.innerHTML = shown.verdict;
      this.verdict.hidden = !shown.verdict;
      if (!this.dragged) this.forgetSizes();
      for (const [index, plot] of this.plots.entries()) {
        const figure = shown.figures[index];
        plot.box.hidden = !figure;
        if (figure) await plot.draw(lib, index ? figure : haunted(figure, this.ghost), this.page.words);
      }
      // After the figure: Plotly measures its texts, and a page with other sentences would be laid out anew for that.
      this.sentences.innerHTML = shown.sentences.map((sentence) => `<li>${sentence}</li>`).join("");
      this.compared.innerHTML = shown.compared;
      await new Promise(requestAnimationFrame);
      this.root.dataset.drawn = Number(this.root.dataset.drawn ?? 0) + 1;
      document.dispatchEvent(new CustomEvent("rope-drawn"));
    }
  }

  forgetSizes() {
    for (const plot of this.plots) plot.height = null;
  }

  redraw() {
    this.forgetSizes();
    if (this.last && !this.shown) this.show(this.last);
  }

  end() {
    this.ending.abort();
    this.runs.disconnect();
    this.room.disconnect();
    clearTimeout(this.calm);
    for (const { box } of this.plots) window.Plotly?.purge(box);
  }
}

// An address that says less than the page, such as that of a page that was just entered, is completed in place: Back leads to the page before.
function replaceAddress(query) {
  const now = new URLSearchParams(window.location.search);
  const kept = [...now].filter(([name]) => name.startsWith("embed"));
  const wanted = new URLSearchParams([...kept, ...new URLSearchParams(query)]);
  if (wanted.toString() === now.toString()) return;
  window.history.replaceState(window.history.state, "", `${window.location.pathname}?${wanted}`);
}

// Streamlit calls this for every run of the script and every change of theme, and what it returns once, when the component leaves the page.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rope-live");
  root.ropeView ??= new LiveView(root, (error) => {
    console.warn(error);
    setTriggerValue("failed", String(error));
  });
  const number = root.querySelector(".rope-number");
  const { number: control, ...rest } = read(data);
  root.ropeView.update(rest);
  if (control) {
    number.ropeNumber ??= new NumberControl(number);
    number.ropeNumber.update(control, (released) => setTriggerValue("released", { name: control.name, ...released }));
  }
  number.hidden = !control;
  return () => {
    number.ropeNumber?.stop();
    root.ropeView.end();
  };
}
