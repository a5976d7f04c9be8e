// The keys of a presenter, also those of her clicker, and a figure that fills what question and sentence leave of the screen.

const MOVES = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back", Escape: "leave" };
const PATIENCE = 3000; // an answer that never comes must not stop the keys
const FOOT = 12; // pixels at the bottom
const LEAST = 300; // pixels of a figure's height: below, its texts meet
const MARGIN = 16; // pixels around the control of the number
const LETTERS = 1000; // pixels of a width at which letters have the size that they have on a page

// A control that has the focus keeps its keys: arrows move a slider, and the caret of a field.
const isTaken = (event) =>
  event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, [role=radio], [role=slider]");

export default function ({ data, parentElement, setTriggerValue }) {
  const mark = parentElement.querySelector(".rope-keys");
  const state = (mark.ropeState ??= { pressed: [], sent: -1 });

  const send = () => {
    if (!state.pressed.length || state.sent === data.read) return;
    state.sent = data.read;
    setTriggerValue("pressed", state.pressed.splice(0));
    clearTimeout(state.patience);
    state.patience = setTimeout(() => {
      state.sent = -1;
      send();
    }, PATIENCE);
  };

  const press = (event) => {
    const move = MOVES[event.key];
    if (!move || event.repeat || (isTaken(event) && move !== "leave")) return;
    event.preventDefault();
    state.pressed.push(move);
    send();
  };

  // Letters grow with the width, by a scale, as far as the figure keeps its least height; drawn at that, it fills the rest.
  const fit = () => {
    const stage = document.querySelector(".st-key-presented-figure");
    const sentence = document.querySelector(".st-key-presented-sentence");
    if (!stage) return;
    const top = stage.getBoundingClientRect().top + document.querySelector('[data-testid="stMain"]').scrollTop;
    const room = Math.max(240, window.innerHeight - top - (sentence?.offsetHeight ?? 0) - FOOT);
    const control = stage.querySelector(".rope-number:not([hidden])")?.offsetHeight;
    const number = control ? control + MARGIN : 0;
    const height = Math.floor(Math.max(room * Math.min(LETTERS / window.innerWidth, 1) - number, LEAST));
    const scale = room / (height + number);
    if (state.height === height && Math.abs(state.scale - scale) < 0.005) return;
    Object.assign(state, { height, scale });
    document.documentElement.style.setProperty("--rope-scale", scale);
    document.documentElement.style.setProperty("--rope-room", `${room}px`);
    document.documentElement.style.setProperty("--rope-figure-height", height);
    window.dispatchEvent(new Event("resize")); // the figure asks anew how high it may be
  };

  // Streamlit calls this for every message, and what it returns once, when the presentation ends.
  state.end?.();
  const watch = new ResizeObserver(fit);
  watch.observe(document.querySelector('[data-testid="stMainBlockContainer"]')); // it grows and shrinks with the slide
  document.addEventListener("keydown", press);
  window.addEventListener("resize", fit);
  document.addEventListener("rope-drawn", fit);
  state.end = () => {
    watch.disconnect();
    document.removeEventListener("keydown", press);
    window.removeEventListener("resize", fit);
    document.removeEventListener("rope-drawn", fit);
  };
  fit();
  send();
  return () => {
    state.end();
    clearTimeout(state.patience);
    document.documentElement.style.removeProperty("--rope-figure-height");
    window.dispatchEvent(new Event("resize"));
  };
}
