// A slider that reports while it is dragged: the newest value goes out only after the answer to the last one was drawn.

const REST = 350; // milliseconds without a movement after which the hand rests
const PATIENCE = 3000; // an answer that never comes must not stop the slider

// The hint opens under a mouse; by a click of keyboard or finger the button opens and closes it without help from here.
function explain(button, hint, { help, ask }) {
  button.setAttribute("aria-label", ask);
  hint.textContent = help;
  const onMouse = (act) => (event) => {
    if (event.pointerType === "mouse") act(event);
  };
  button.onpointerenter = onMouse(() => hint.showPopover({ source: button }));
  button.onpointerleave = onMouse(() => hint.hidePopover());
  button.onclick = onMouse((event) => event.preventDefault());
}

// What the hand held was set: where the hand was does not count any more, and no answer to its last message will come.
function drop(state, hold) {
  clearTimeout(state.rest);
  clearTimeout(state.patience);
  state.touched = state.resting = state.waiting = false;
  state.hold = hold;
}

export default function ({ data, parentElement, setStateValue }) {
  const range = parentElement.querySelector("input");
  const output = parentElement.querySelector("output");
  const label = parentElement.querySelector(".rope-label");
  const state = (range.ropeState ??= { step: 0, sent: null, waiting: false, touched: false });
  state.stops = data.stops;
  state.texts = data.texts;
  label.textContent = data.label;
  range.setAttribute("aria-label", data.label);
  explain(parentElement.querySelector(".rope-ask"), parentElement.querySelector("[popover]"), data);
  range.disabled = Boolean(data.disabled);
  range.max = data.stops.length - 1;
  if (state.hold !== data.hold) drop(state, data.hold);
  if (!state.touched) range.value = data.index;

  const show = () => {
    const text = state.texts[range.value];
    output.textContent = text;
    range.setAttribute("aria-valuetext", text);
  };

  const send = (rest) => {
    state.step += 1;
    state.sent = range.value;
    state.waiting = true;
    clearTimeout(state.patience);
    state.patience = setTimeout(answered, PATIENCE);
    setStateValue("move", { value: state.stops[range.value], step: state.step, rest, hold: state.hold });
  };

  const answered = () => {
    clearTimeout(state.patience);
    state.waiting = false;
    if (range.value !== state.sent) send(false);
    else if (state.resting) settle();
  };

  const settle = () => {
    state.resting = true;
    if (state.waiting) return;
    state.resting = state.touched = false;
    send(true);
  };

  range.oninput = () => {
    show();
    state.touched = true;
    state.resting = false;
    clearTimeout(state.rest);
    state.rest = setTimeout(settle, REST);
    if (!state.waiting) send(false);
  };

  // Streamlit calls this for every message, and what it returns once, when the slider leaves the page.
  document.removeEventListener("rope-drawn", state.drawn);
  state.drawn = (event) => {
    if (state.waiting && event.detail === state.step) answered();
  };
  document.addEventListener("rope-drawn", state.drawn);
  show();
  return () => document.removeEventListener("rope-drawn", state.drawn);
}
