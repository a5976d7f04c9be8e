// A Plotly chart that stays: each new figure goes into the same plot with Plotly.react, so that zoom, camera and hidden traces survive.

const loading = {};

// The script that came with the installed plotly package; one tag for all charts of the page.
function plotly(address) {
  loading[address] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(`cannot load ${address}`));
    document.head.append(script);
  });
  return loading[address];
}

// Streamlit gives the colours and fonts of the theme as CSS variables; figures bring none of their own for text, grid and ground.
function themed(layout, box) {
  const style = getComputedStyle(box);
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const text = read("--st-text-color", "#444444");
  const line = read("--st-border-color-light", read("--st-border-color", "rgba(128, 128, 128, 0.3)"));
  const font = { family: read("--st-font", "sans-serif"), color: text, size: 14 };
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickfont: { size: 12 }, automargin: true };
  const ground = { paper_bgcolor: "rgba(0, 0, 0, 0)", plot_bgcolor: "rgba(0, 0, 0, 0)", font, hoverlabel: { font: { family: font.family } } };
  const given = layout.template?.layout ?? {};
  const template = { ...layout.template, layout: { ...given, ...ground, xaxis: { ...axis, ...given.xaxis }, yaxis: { ...axis, ...given.yaxis } } };
  return { ...layout, template };
}

async function draw(state) {
  if (state.busy) return;
  state.busy = true;
  while (state.wanted) {
    const wanted = state.wanted;
    state.wanted = null;
    const { figure, alt, fullscreen } = wanted;
    state.box.style.height = `${figure.layout.height}px`;
    const lib = await plotly(wanted.plotly);
    const layout = themed(figure.layout, state.box);
    const width = state.box.clientWidth;
    await lib.react(state.box, figure.data, layout, configuration(lib, state, fullscreen));
    if (wanted.framesId !== state.framesId) {
      if (wanted.framesId && !wanted.frames) state.ask("frames", wanted.framesId);
      else {
        state.framesId = wanted.framesId;
        await replaceFrames(lib, state.box, wanted.frames ?? []);
      }
    }
    state.box.setAttribute("aria-label", alt);
    if (width !== state.box.clientWidth) lib.Plots.resize(state.box);
    state.box.dataset.step = wanted.step;
    await new Promise(requestAnimationFrame);
    document.dispatchEvent(new CustomEvent("rope-drawn", { detail: wanted.step }));
  }
  state.busy = false;
}

async function replaceFrames(lib, box, frames) {
  const old = box._transitionData?._frames?.length ?? 0;
  if (old) await lib.deleteFrames(box, [...Array(old).keys()]);
  if (frames.length) await lib.addFrames(box, frames);
}

function configuration(lib, state, title) {
  const full = { name: "fullscreen", title, icon: lib.Icons.zoombox, click: () => toggleFullScreen(state.box) };
  return { displaylogo: false, scrollZoom: false, responsive: true, modeBarButtonsToAdd: [full] };
}

function toggleFullScreen(box) {
  if (document.fullscreenElement) document.exitFullscreen();
  else box.requestFullscreen();
}

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".rope-chart");
  const state = (box.ropeState ??= { box, wanted: null, busy: false, framesId: null });
  state.ask = setTriggerValue;
  state.last = state.wanted = JSON.parse(new TextDecoder().decode(data));
  const fail = (error) => {
    state.busy = false;
    console.warn(error);
    setTriggerValue("failed", String(error));
  };
  draw(state).catch(fail);
  // A change of theme causes no run: draw the last figure again in the new colours.
  state.watch ??= new MutationObserver(() => {
    const ground = getComputedStyle(box).getPropertyValue("--st-text-color");
    if (ground !== state.ground) {
      state.ground = ground;
      state.wanted ??= state.last;
      draw(state).catch(fail);
    }
  });
  state.ground ??= getComputedStyle(box).getPropertyValue("--st-text-color");
  state.watch.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    state.watch.disconnect();
    window.Plotly?.purge(box);
    box.ropeState = undefined;
  };
}
