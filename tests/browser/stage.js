// What the tests ask a page: when it is complete, and what it shows. It runs before anything else in every page.

(() => {
  const QUIET = 60; // milliseconds without a change: a run may end before the browser has made all of it
  let changed = 0;
  const touch = () => (changed = performance.now());
  const note = (records) => records.some(({ target }) => !target.parentElement?.closest(".rope-figure")) && touch();
  new MutationObserver(note).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  document.fonts.addEventListener("loadingdone", touch); // words of another width may move all that stands below them
  for (const kind of ["popstate", "click", "change", "keydown", "rope-release"]) window.addEventListener(kind, touch, true);

  // Runs of the script, as the stream tells of them: asked for (BackMsg.rerun_script), and at their end (ForwardMsg.script_finished).
  let runs = 0;
  let waiting = false;
  const [RERUN, FINISHED, EARLY] = [11, 6, 2];

  function* fields(bytes) {
    let at = 0;
    const number = () => {
      let value = 0;
      for (let place = 1; ; place *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * place;
        if (byte < 128) return value;
      }
    };
    while (at < bytes.length) {
      const tag = number();
      const value = number(); // a number, or the length of what follows
      yield [tag >> 3, value];
      if (tag & 7) at += value;
    }
  }

  function hear({ data }) {
    touch();
    for (const [field, value] of fields(new Uint8Array(data))) {
      if (field !== FINISHED || value === EARLY) continue;
      waiting = false;
      runs += 1;
    }
  }

  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (!this.isHeard) this.addEventListener("message", hear);
    this.isHeard = true;
    if ([...fields(data)].some(([field]) => field === RERUN)) waiting = true;
    return send.call(this, data);
  };

  const app = () => document.querySelector("[data-testid=stApp]")?.dataset ?? {};
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const live = () => document.querySelector(".rope-live");
  const isSeen = (part) => part.getClientRects().length > 0;
  const text = (selector) => all(selector).filter(isSeen).map((part) => part.innerText.trim()).filter(Boolean);

  // A figure as text: its traces, labels and axes, without what Plotly notes for itself in names with an underscore.
  const plain = (key, value) => (key.startsWith("_") ? undefined : ArrayBuffer.isView(value) ? Array.from(value) : value);
  const short = (end) => (typeof end === "number" ? Number(end.toPrecision(9)) : end); // what a plot was before leaves its rounding
  const words = (axis) => [axis?.title?.text, axis?.type, axis?.range?.map(short)];
  function read(box) {
    const { annotations, shapes, ...layout } = box.layout;
    const axes = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name)).sort();
    const data = box.data.filter(({ meta }) => meta !== "ghost"); // what a figure came from is in no address
    const { width, height } = box._fullLayout;
    const size = [width, height];
    return { data, annotations, shapes, axes: axes.map((name) => [name, ...words(layout[name])]), size, alt: box.getAttribute("aria-label") };
  }

  const figure = () => JSON.stringify(all(".js-plotly-plot").filter((box) => !box.hidden && box._fullLayout).map(read), plain);

  function isDrawn(fetching) {
    const view = live()?.ropeView;
    if (!view) return Boolean(document.querySelector("[data-testid=stPlotlyChart] .main-svg"));
    return Number(live().dataset.drawn) > 0 && !view.drawing && !view.shown && !view.motion && !view.calm && Boolean(view.fetching) === fetching;
  }

  const isHeard = ({ ropeNumber: control }) => control && !control.isMoving && !control.timer && control.data.seen >= control.serial;

  const missing = (fetching = false) => Object.entries({
    quiet: performance.now() - changed > QUIET,
    fonts: document.fonts.status === "loaded",
    idle: !waiting && app().testScriptState === "notRunning",
    connected: app().testConnectionState === "CONNECTED",
    fresh: !document.querySelector("[data-stale=true]"),
    drawn: isDrawn(fetching),
    numbers: all("[class*=st-key-number-]").every((part) => isHeard(part.querySelector(".rope-number") ?? {})),
    number: all(".rope-live .rope-number:not([hidden])").every(isHeard),
  }).filter(([, isThere]) => !isThere).map(([name]) => name);

  const settled = (fetching) => missing(fetching).length === 0;

  const numbers = () => all(".rope-number:not([hidden])").map(({ ropeNumber: { data, range, field } }) =>
    [data.name, field.value, range.value, range.max, range.getAttribute("aria-valuetext"), range.disabled, field.getAttribute("aria-invalid")]);

  const chosen = (part) => [
    part.className.match(/st-key-w-(\S+)/)[1],
    all("[aria-checked=true], [data-tag] [title]", part).map((each) => each.innerText),
    all("input[type=text]", part).map(({ value, disabled }) => [value, disabled]),
  ];

  const look = () => ({
    title: text("h1"),
    numbers: numbers(),
    choices: all("[class*=st-key-w-]").filter(isSeen).map(chosen),
    figure: figure(),
    verdict: text(".rope-verdict"),
    sentences: text(".rope-sentences li"),
    compared: text(".rope-compared"),
    notices: text("[data-testid=stAlert]"),
    formula: all("[data-testid=stMain] annotation").map((part) => part.textContent),
    navigation: text("[data-testid=stSidebarNavLink]"),
  });

  const says = (expected) =>
    Object.entries(expected).every(([name, value]) => new URLSearchParams(location.search).get(name) === value);

  function wait(condition, patience) {
    return new Promise((resolve, reject) => {
      const end = performance.now() + patience;
      const again = () => {
        const found = condition();
        if (found) resolve(found);
        else if (performance.now() > end) reject(new Error(`${location.href} waited in vain: ${condition}; ${JSON.stringify([missing(), runs, numbers()])}`));
        else setTimeout(again, 20);
      };
      again();
    });
  }

  const control = (name) => document.getElementById(`rope-${name}`).closest(".rope-number").ropeNumber;
  const share = (name) => control(name).range.value / control(name).range.max;
  const layout = () => document.querySelector(".rope-figure")._fullLayout;
  const ranges = () => Object.entries(layout()).filter(([name]) => /^[xy]axis\d*$/.test(name)).map(([name, axis]) => [name, [...axis.range]]);
  const hidden = () => document.querySelector(".rope-figure")._fullData.filter(({ visible }) => visible !== true).map(({ name }) => name);
  const drawn = () => Number(live()?.dataset.drawn);
  const alt = () => document.querySelector(".rope-figure").getAttribute("aria-label");
  const shown = () => JSON.stringify([figure(), text(".rope-sentences li")]);

  window.stage = { alt, control, drawn, figure, hidden, layout, look, ranges, runs: () => runs, says, settled, share, shown, text, wait };
})();
