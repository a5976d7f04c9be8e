// The keys of a presenter, also those of her clicker, and a figure that fills what question and sentence leave of the screen.

const MOVES = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back", Escape: "leave" };
const PATIENCE = 3000; // an answer that never comes must not stop the keys
const FOOT = 64; // pixels at the bottom, for the way out
const LEAST = 0.75; // of the height that a figure has on a page: below, its texts meet
const LETTERS = 1000; // pixels of a width at which letters have the size that they have on a page

// A control that has the focus keeps its keys: arrows move a slider, and the caret of a box.
const isTaken = (event) =>
  event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, [role=radio], [role=slider]");

export default function ({ data, parentElement, setTriggerValue }) {
  const mark = parentElement.querySelector(".rope-keys");
  const state = (mark.ropeState ??= { pressed: [], sent: -1 });

  const send = () => {
    if (!state.pressed.length || state.sent === data.heard) return;
    state.sent = data.heard;
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

  // Letters grow with the width, by a scale, as far as the figure keeps most of its height; drawn at that, it fills the rest.
  const fit = () => {
    const scene = document.querySelector(".st-key-presented-figure");
    const sentence = document.querySelector(".st-key-presented-sentence");
    if (!scene) return;
    const top = scene.getBoundingClientRect().top + window.scrollY;
    const room = Math.max(240, window.innerHeight - top - (sentence?.offsetHeight ?? 0) - FOOT);
    const usual = scene.querySelector(".rope-chart")?.ropeState?.last?.figure.layout.height ?? 0;
    const height = Math.floor(Math.max((room * LETTERS) / window.innerWidth, usual * LEAST));
    const scale = room / height;
    if (state.height === height && Math.abs(state.scale - scale) < 0.005) return;
    Object.assign(state, { height, scale });
    document.documentElement.style.setProperty("--rope-scale", scale);
    document.documentElement.style.setProperty("--rope-room", `${room}px`);
    document.documentElement.style.setProperty("--rope-chart-height", height);
    document.dispatchEvent(new Event("fullscreenchange")); // the chart asks anew how high it may be
    window.dispatchEvent(new Event("resize"));
  };

  // Plotly keeps the width that it was first drawn with until it is told.
  const settle = () => {
    fit();
    const box = document.querySelector(".st-key-presented-figure .rope-chart");
    if (box?._fullLayout && Math.abs(box._fullLayout.width - box.clientWidth) > 1) window.Plotly.Plots.resize(box);
  };

  // Streamlit calls this for every message, and what it returns once, when the presentation ends.
  state.end?.();
  const watch = new ResizeObserver(fit);
  watch.observe(document.querySelector('[data-testid="stMainBlockContainer"]')); // it grows and shrinks with the slide
  document.addEventListener("keydown", press);
  window.addEventListener("resize", fit);
  document.addEventListener("rope-drawn", settle);
  state.end = () => {
    watch.disconnect();
    document.removeEventListener("keydown", press);
    window.removeEventListener("resize", fit);
    document.removeEventListener("rope-drawn", settle);
  };
  fit();
  send();
  return () => {
    state.end();
    clearTimeout(state.patience);
    document.documentElement.style.removeProperty("--rope-chart-height");
    document.dispatchEvent(new Event("fullscreenchange"));
  };
}
