// The bare loop beside the app's: it fetches ready bytes of the figure that the app has just drawn, and draws them with Plotly.react.
const asked = {};
const fetch = window.fetch;
window.fetch = (...request) => fetch(...(asked.request = request));
const box = document.querySelector(".rope-figure");
const bare = document.createElement("div");
const { left, top, width, height } = box.getBoundingClientRect();
bare.style.cssText = `position: fixed; z-index: 1000; left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px;`;
document.body.append(bare);
const range = document.querySelector(".rope-live .rope-range");

window.bareStep = async (index) => {
  const drawn = new Promise((resolve) => document.addEventListener("rope-drawn", resolve, { once: true }));
  let start = performance.now();
  range.value = index;
  range.dispatchEvent(new Event("input"));
  await drawn;
  const ours = performance.now() - start;

  const ready = await (await fetch(...asked.request)).arrayBuffer();
  await fetch("{bare}", { method: "POST", body: ready });
  start = performance.now();
  const { data, layout } = window.bareRead(await (await fetch("{bare}")).arrayBuffer()).figures[0].figure;
  await window.Plotly.react(bare, data, { ...layout, template: box.layout.template, width, height });
  await new Promise(requestAnimationFrame);
  return [ours, performance.now() - start];
};
