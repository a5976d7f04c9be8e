// A figure with its sentences. Each new figure goes into the same plot with Plotly.react, so that zoom, camera and hidden traces survive. While
// a number is dragged, the answers of the route /view follow it; when it is released, a run of the script brings the same figure.

const OFFERS = ".st-key-try button, [class*=st-key-offer] button"; // settings to try
const CALM = 100; // milliseconds after a run before the address is looked at

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

const isIdle = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";

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
    on(document, "click", ({ target }) => (this.isAsked ||= Boolean(target.closest?.(OFFERS))), true);
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
    const isFirst = !this.page;
    const isNew = !isFirst && this.page.query !== page.query; // else it is shown again, as when the theme has changed
    this.page = page;
    this.reconcile(); // the browser may hear of the beginning and the end of a run at once
    this.root.querySelector(".rope-more").textContent = page.words.more;
    if (page.replace !== null) replaceAddress(page.replace);
    if (isNew) this.motion = this.ghost = null;
    if (isNew && this.isAsked) requestAnimationFrame(() => this.bring());
    if (this.dragged) return this.fetch();
    if (this.motion) return (this.motion.final = read(view));
    const isMoved = isFirst ? motion?.opening && !isStill() : isNew && motion;
    if (!isMoved) return this.show(read(view));
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
    if (!isIdle()) return;
    replaceAddress(this.page.address);
    this.refit(); // where the page has changed and kept its height
  }

  // What stands above the figure, such as a notice, may come later, and grow.
  refit() {
    if (!this.dragged && this.plots.some((plot) => plot.hasOtherRoom())) this.redraw();
  }

  follow({ name, value }) {
    if (!this.dragged) for (const plot of this.plots) plot.height = null;
    this.motion = this.ghost = null;
    this.isAsked = false;
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
    this.drawing = this.draw().catch((error) => this.ending.signal.aborted || this.fail(error)); // a view that was left is purged
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
    for (const plot of this.plots) plot.height = plot.margin = null;
  }

  // Whoever presses a button that changes the figure wants to see it; the button may stand far above or below.
  async bring() {
    this.isAsked = false;
    await this.drawing;
    this.plots[0].box.scrollIntoView({ block: "nearest", behavior: isStill() ? "instant" : "smooth" });
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
    root.ropeView.number = number.ropeNumber ??= new NumberControl(number);
    number.ropeNumber.update(control, (released) => setTriggerValue("released", { name: control.name, ...released }));
    if (root.ropeView.motion && !isStill()) number.ropeNumber.pass(root.ropeView.motion.frames[0]);
  }
  number.hidden = !control;
  return () => {
    number.ropeNumber?.end();
    root.ropeView.end();
  };
}
