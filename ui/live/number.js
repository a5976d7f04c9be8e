// The control of a number: a slider, and beside it the value as a field that can be typed into. It reports every step of a drag to the page
// (the event rope-input), and to Streamlit the value at release, or what was typed.

const KEYS_PAUSE = 300; // milliseconds after the last key before the value counts as released
const FRAME = 1000 / 15; // of playing
const LONGEST_FRAME = 5000; // for a figure that is never drawn
const REPEAT = 2000; // milliseconds after which a release that no run has seen, though none is going on, is sent again: its server went away
const REPEATS = 5;

const written = (value) => String(value);
const readable = (value) => Number(value).toLocaleString("en-US", { maximumSignificantDigits: 15, useGrouping: true });

function isReady() {
  const { testConnectionState, testScriptState } = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
  return testConnectionState === "CONNECTED" && testScriptState === "notRunning";
}

// The stop at a value, or the last one below it.
function stopAt(stops, value) {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stops[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The hint opens under a mouse; by a click of keyboard or finger the button opens and closes it without help from here.
function explain(button, hint, { help, ask }) {
  button.setAttribute("aria-label", ask);
  button.popoverTargetElement = hint;
  hint.textContent = help;
  const onMouse = (act) => (event) => {
    if (event.pointerType === "mouse") act(event);
  };
  button.onpointerenter = onMouse(() => hint.showPopover({ source: button }));
  button.onpointerleave = onMouse(() => hint.hidePopover());
  button.onclick = onMouse((event) => event.preventDefault());
}

class NumberControl {
  ending = new AbortController();

  constructor(root) {
    const part = (name) => root.querySelector(`.rope-${name}`);
    Object.assign(this, { root, range: part("range"), field: part("value"), label: part("label"), play: part("play") });
    this.ask = part("ask");
    this.help = part("help");
    this.serial = 0;
    this.listen();
  }

  // Show what a run of the script says, unless the reader has moved on since.
  update(data, release) {
    const last = this.data;
    if (last && last.name !== data.name) this.forget(); // another view, another number in the same place
    else if (last?.seen === this.serial && data.seen < last.seen) this.serial = 0; // a new session, on another server: it has seen nothing
    this.data = data;
    this.release = release;
    this.root.hidden = false;
    this.label.textContent = data.label;
    this.range.id = this.label.htmlFor = `rope-${data.name}`;
    this.range.setAttribute("aria-label", data.label);
    this.field.setAttribute("aria-label", data.type.replace("{label}", data.label));
    explain(this.ask, this.help, data);
    this.help.id = `rope-${data.name}-help`;
    this.range.setAttribute("aria-describedby", this.help.id);
    this.range.max = data.stops.length - 1;
    this.range.disabled = this.field.disabled = this.play.disabled = Boolean(data.disabled);
    this.play.hidden = !data.play;
    this.showPlaying();
    if (!this.isMoving && !this.isTyping && data.seen >= this.serial) this.show(data.value, data.refused);
  }

  forget() {
    clearTimeout(this.pause);
    clearTimeout(this.repeat);
    this.stop();
    this.isMoving = false;
    this.serial = 0;
  }

  show(value, refused) {
    this.value = value;
    this.range.value = stopAt(this.data.stops, value);
    this.write(refused ?? ((value === 0 && this.data.zero?.[1]) || readable(value)));
    this.field.setAttribute("aria-invalid", refused !== null && refused !== undefined);
    this.range.setAttribute("aria-valuetext", readable(value));
  }

  // Who is about to type replaces all of it, as before.
  write(text) {
    if (this.field.value === text) return;
    this.field.value = text;
    if (document.activeElement === this.field) this.field.select();
  }

  // Follow a figure that moves to an answer; at its end, where the run says.
  pass(frame) {
    const { name, value, refused } = this.data ?? {};
    if (!name || this.isMoving || this.timer) return;
    if (!frame) this.show(value, refused);
    else if (name in frame) this.show(Number(frame[name]));
  }

  // A step of a drag, of a key, or of playing.
  move(index) {
    const { stops, name } = this.data;
    this.isMoving = true;
    this.isTyping = false;
    this.show(stops[Math.min(Math.max(index, 0), stops.length - 1)]);
    document.dispatchEvent(new CustomEvent("rope-input", { detail: { name, value: written(this.value) } }));
  }

  finish(text = written(this.value)) {
    this.isTyping = false;
    clearTimeout(this.pause);
    this.stop();
    this.isMoving = false;
    this.serial = Date.now();
    document.dispatchEvent(new CustomEvent("rope-release", { detail: { name: this.data.name } }));
    this.send({ text, serial: this.serial }, REPEATS);
  }

  send(released, repeats) {
    this.release(released);
    clearTimeout(this.repeat);
    const again = () => {
      if (this.data.seen >= released.serial || !this.root.isConnected || !repeats) return;
      if (isReady()) this.send(released, repeats - 1);
      else this.repeat = setTimeout(again, REPEAT);
    };
    this.repeat = setTimeout(again, REPEAT);
  }

  listen() {
    const { range, field } = this;
    range.oninput = () => {
      this.stop();
      this.move(Number(range.value));
    };
    range.onpointerdown = () => {
      this.byKey = false;
    };
    range.onchange = () => {
      if (this.byKey) this.later();
      else this.finish();
    };
    range.onkeydown = (event) => {
      this.byKey = true;
      const steps = { PageUp: 10, PageDown: -10 }[event.key];
      if (!steps) return;
      event.preventDefault();
      this.move(Number(range.value) + steps);
      this.later();
    };
    range.onblur = () => {
      if (this.isMoving && !this.timer) this.finish();
    };
    field.onfocus = () => field.select();
    field.oninput = () => (this.isTyping = true);
    field.onblur = () => (this.isTyping = false);
    // While another number is dragged, nobody knows what 0 comes to; a run that changes nothing of it does not call update.
    for (const [kind, index] of [["rope-input", 0], ["rope-release", 1]]) {
      const come = ({ detail }) => {
        const { name, zero } = this.data ?? {};
        if (zero?.length && detail.name !== name && this.value === 0 && !this.isTyping) this.write(zero[index]);
      };
      document.addEventListener(kind, come, { signal: this.ending.signal });
    }
    field.onchange = () => this.finish(field.value.trim());
    field.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      this.show(this.value);
      field.blur();
    };
    // What is pressed elsewhere means the value that is shown.
    const { signal } = this.ending;
    document.addEventListener("pointerdown", (event) => this.leave(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && this.leave(event), { signal, capture: true });
    this.play.onclick = () => {
      if (this.timer) this.finish();
      else this.start();
    };
  }

  leave({ target }) {
    if (this.timer && !this.root.contains(target) && target.closest?.("a, button, label, input, [role]") && !target.closest(".rope-figure")) this.finish();
  }

  later() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.finish(), KEYS_PAUSE);
  }

  // Advance from stop to stop, each when the figure shows the one before; from the end it begins anew.
  start() {
    const last = this.data.stops.length - 1;
    if (Number(this.range.value) === last) this.move(0);
    this.timer = setTimeout(() => this.advance(), 0);
    this.showPlaying();
  }

  advance() {
    const at = Number(this.range.value);
    if (at >= this.data.stops.length - 1 || !this.root.isConnected) return this.finish();
    const began = performance.now();
    const next = () => {
      clearTimeout(this.patience);
      document.removeEventListener("rope-drawn", next);
      if (this.timer) this.timer = setTimeout(() => this.advance(), Math.max(0, FRAME - (performance.now() - began)));
    };
    document.addEventListener("rope-drawn", next);
    this.patience = setTimeout(next, LONGEST_FRAME);
    this.move(at + 1);
  }

  // The control leaves the page.
  end() {
    this.stop();
    this.ending.abort();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  showPlaying() {
    const { play, pause } = this.data ?? {};
    this.play.textContent = this.timer ? "❚❚" : "▶";
    if (play) this.play.setAttribute("aria-label", this.timer ? pause : play);
  }
}
