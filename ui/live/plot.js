// A plot: Plotly's, in the colours of the theme and the room of the screen, with the zoom that a reader has set, pictures for paper, a legend for
// keys, and the full screen.

const loading = {};
const PATIENCE = 15_000; // milliseconds for the script, which comes from where the page came from
const LEAST = 360; // pixels of a figure's height
const AROUND = 100; // pixels above and below what is drawn to scale: its title, its legend
const PHONE = 640; // pixels of a screen's width

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
  return { ...touch, ...layout, ...legendBelow(layout, width), ...topOf(layout, style), template };
}

// On a telephone the legend has many lines: below the figure they do not push it out of sight.
function legendBelow({ legend, margin }, width) {
  if (width >= 500 || legend?.y !== undefined) return {};
  return { legend: { ...legend, x: 0, yref: "container", y: 0, yanchor: "bottom" }, margin: { ...margin, t: Math.min(margin.t, 40) } };
}

// Presented, a figure without a legend needs no room for one.
function topOf({ showlegend, margin }, style) {
  return showlegend === false && style.getPropertyValue("--rope-figure-height") ? { margin: { ...margin, t: Math.min(margin.t, 8) } } : {};
}

// A figure that is drawn to scale is on a telephone as high as its width makes it. Elsewhere it is what the screen leaves: of the height below
// the top of the figure, what stands under it in view takes its part.
function heightOf(box, ratio) {
  if (isFull(box)) return window.innerHeight;
  const presented = parseFloat(getComputedStyle(box).getPropertyValue("--rope-figure-height"));
  if (presented) return presented;
  if (window.innerWidth <= PHONE) return ratio ? Math.round(box.clientWidth * ratio + AROUND) : LEAST;
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
    this.ratio = figure.layout.meta?.ratio;
    if (!this.height) this.measure();
    const { height, width } = this;
    // A copy: Plotly writes into it the ranges that it has fitted to the room, and the same figure may be drawn again in another.
    const layout = { ...themed(structuredClone(figure.layout), this), height, width };
    layout.margin = widest(layout.margin, this.margin);
    const given = keepZoom(this, layout);
    await lib.react(this.box, figure.data, layout, configuration(lib, this, words));
    this.margin = this.box._fullLayout._size;
    if (!this.drawn) this.listen();
    this.drawn = ranges(this.box);
    for (const [name, range] of Object.entries(given)) {
      this.drawn[name] = String(range);
      returnTo(this.box._fullLayout[name], range);
    }
    this.box.setAttribute("aria-label", alt);
  }

  // Once a drag: whoever asks for a size has the browser lay out the whole page, and Plotly fits a figure into its room by drawing it again.
  measure() {
    forgetPlaces(this.box);
    for (let round = 0; round < 2; round++) { // the place of an empty box is a little lower
      this.height = heightOf(this.box, this.ratio);
      this.box.style.height = `${this.height}px`;
    }
    this.width = this.box.clientWidth;
  }

  hasOtherRoom() {
    return this.height && !this.box.hidden && (heightOf(this.box, this.ratio) !== this.height || this.box.clientWidth !== this.width);
  }

  listen() {
    openToKeys(this.box);
    this.box.on("plotly_relayout", (change) => noteZoom(this, change));
    this.box.on("plotly_afterplot", () => openToKeys(this.box));
  }
}

// While a number is dragged, labels come and go: what they needed stays theirs, and the plot keeps its size.
function widest(margin, taken) {
  const sides = ["l", "r", "t", "b"].map((side) => [side, Math.max(margin[side], taken?.[side] ?? 0)]);
  return { ...margin, ...Object.fromEntries(sides) };
}

function axesOf(full) {
  return Object.keys(full).filter((name) => /^[xy]axis\d*$/.test(name)).map((name) => full[name]);
}

// What Plotly notes of the places of the last figure it would take for those of the next one: of each axis, and what axes, a legend or a
// colour bar need beside them. A new plot fits itself into its room step by step from here.
function forgetPlaces({ _fullLayout: full }) {
  if (!full) return;
  for (const axis of axesOf(full)) Object.assign(axis, { _inputDomain: null, _inputRange: null });
  Object.assign(full, { _pushmargin: {}, _reservedMargin: {} });
}

function ranges(box) {
  return Object.fromEntries(axesOf(box._fullLayout).map(({ _name, range }) => [_name, String(range)]));
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
