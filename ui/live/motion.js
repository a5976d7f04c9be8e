// From a question to its answer: the figure moves from the settings before to those of the answer, through what the route says of the numbers
// between, and a faint copy of the figure before stays beneath the new one until the next change. The first page of a visit opens with a motion
// too, without the copy.

const WAY = 1500; // milliseconds
const GHOST = "ghost";
const FAINT = 0.3;

const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// Lines and points, quiet and without a name: bars would push others aside, cells would cover each other. Of what is filled Plotly does not
// heed the opacity.
function ghostOf({ data, layout }) {
  const quiet = { opacity: FAINT, showlegend: false, hoverinfo: "skip", hovertemplate: null, fill: "none", zorder: -1, meta: GHOST };
  const shown = data.filter(({ type }) => type === "scatter");
  const traces = shown.map(({ name, marker, ...trace }) => ({ ...trace, ...quiet, marker: { ...marker, showscale: false } }));
  return { axes: layout.uirevision, traces };
}

// A figure with what it came from beneath, as long as the axes mean the same.
function haunted({ figure, ...rest }, ghost) {
  if (ghost?.axes !== figure.layout.uirevision) return { figure, ...rest };
  return { figure: { ...figure, data: [...figure.data, ...ghost.traces] }, ...rest };
}

class Motion {
  // ``before`` is an address, ``frames`` what it says of the numbers on the way, ``final`` what is shown at the end.
  constructor(view, { before, frames, opening }, final) {
    Object.assign(this, { view, before, frames, opening, final });
  }

  get isOn() {
    return this.view.motion === this && !this.view.ending.signal.aborted;
  }

  async play() {
    const from = await this.view.ask(new URLSearchParams(this.before));
    if (from && this.isOn && this.opening) await this.view.show(from); // Plotly may have to come first
    else if (from && this.isOn) this.view.ghost = ghostOf(from.figures[0].figure);
    const began = performance.now();
    while (this.isOn && !isStill()) {
      const frame = this.frames[Math.floor(((performance.now() - began) / WAY) * this.frames.length)];
      if (!frame) break;
      await this.show(frame);
    }
    if (this.isOn) await this.end();
  }

  // A whole number may stay for several frames.
  async show(frame) {
    const address = new URLSearchParams(this.before);
    for (const [name, value] of Object.entries(frame)) address.set(name, value);
    const shown = String(address) !== this.asked && (await this.view.ask(address));
    this.asked = String(address);
    if (this.isOn) this.view.number?.pass(frame);
    if (shown && this.isOn) await this.view.show(shown);
    else await new Promise(requestAnimationFrame);
  }

  end() {
    this.view.motion = null;
    this.view.number?.pass(null);
    return this.view.show(this.final);
  }
}
