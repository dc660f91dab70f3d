// Shows how a solve comes from the random start to the layout. With a slider, you choose an iteration and see the diagram after
// it. Curves show the energy and the largest error of a relation. A solve has stages, and in each stage the relations have a
// larger weight than in the stage before. If the diagram's program declares stages, they are solved one after the other, each
// with small weights first. Marks show where all these stages begin.

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Part} Part */
/** @typedef {import("./layout.js").Placed} Placed */
/** A layout on the way. `part`: the solve that it belongs to. `isStart`: true if a new stage begins here.
 * @typedef {Placed & {part: Part, isStart: boolean}} Moment */

import { format } from "../../model/numbers.js";
import * as texts from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const SAMPLES = 80;
const WIDTH = 400;
const HEIGHT = 90;
/** Errors and energies below this are drawn at the lower edge. */
const LEAST = 1e-4;
/** We compute for this long without a pause. */
const SLICE_MS = 6;

export class Timeline {
  /** @param {HTMLDetailsElement} place @param {(placed: Placed | null) => void} show shows a layout on the way, or null for the
   * end */
  constructor(place, show) {
    this.place = place;
    this.svg = /** @type {SVGSVGElement} */ (place.querySelector("svg"));
    this.slider = /** @type {HTMLInputElement} */ (place.querySelector("input"));
    this.words = /** @type {HTMLElement} */ (place.querySelector(".moment"));
    this.stages = /** @type {HTMLElement} */ (place.querySelector(".stages"));
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {Moment[]} */
    this.way = [];
    /** @type {Layout | null} whose way is shown */
    this.shown = null;
    place.addEventListener("toggle", () => this.fill());
    this.slider.addEventListener("input", () => {
      const placed = this.way[Number(this.slider.value)];
      if (placed === undefined) return;
      this.tell(placed);
      show(placed);
    });
    this.slider.addEventListener("change", () => Number(this.slider.value) === this.way.length - 1 && show(null));
  }

  /** @param {Layout} layout the present one */
  follow(layout) {
    this.layout = layout;
    this.fill();
  }

  /** Moves the slider to the end. */
  end() {
    if (this.way.length === 0) return;
    this.slider.value = String(this.way.length - 1);
    this.tell(this.way[this.way.length - 1]);
  }

  /** Computes the layouts after earlier iterations of the solver, a few in each frame. @private */
  fill() {
    const { layout } = this;
    if (!this.place.open || layout === null || this.shown === layout) return;
    this.shown = layout;
    this.way = [];
    const moments = replay(layout);
    const goOn = () => {
      if (this.shown !== layout) return;
      const untilMs = performance.now() + SLICE_MS;
      while (performance.now() < untilMs) {
        const { value, done } = moments.next();
        if (done) {
          this.draw(layout);
          return;
        }
        this.way.push(value);
      }
      setTimeout(goOn);
    };
    goOn();
  }

  /** @private @param {Layout} layout */
  draw(layout) {
    const { way } = this;
    this.slider.max = String(way.length - 1);
    this.end();
    const x = (/** @type {number} */ k) => ((k * WIDTH) / Math.max(way.length - 1, 1)).toFixed(1);
    const curve = (/** @type {string} */ name, /** @type {number[]} */ values) => {
      const heights = scaled(values);
      const line = document.createElementNS(SVG, "polyline");
      line.setAttribute("class", name);
      line.setAttribute("points", heights.map((height, k) => `${x(k)},${((1 - height) * HEIGHT).toFixed(1)}`).join(" "));
      return line;
    };
    const starts = [...way.keys()].filter((k) => way[k].isStart);
    const marks = starts.slice(1).map((k) => {
      const mark = document.createElementNS(SVG, "path");
      mark.setAttribute("class", "mark");
      mark.setAttribute("d", `M ${x(k)} 0 V ${HEIGHT}`);
      const title = document.createElementNS(SVG, "title");
      title.textContent = texts.weightMark(format(way[k].weight), nameAt(way, k));
      mark.append(title);
      return mark;
    });
    this.showStages(starts);
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.replaceChildren(...marks, curve("energy-curve", way.map(({ energy }) => energy)), curve("miss-curve", way.map((placed) => layout.worst(placed))));
  }

  /** Makes a button for each stage of the solve. The button moves the slider to the beginning of the stage.
   * @private
   * @param {readonly number[]} starts the slider's value at the beginning of each stage */
  showStages(starts) {
    this.stages.replaceChildren(...starts.map((k, stage) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: texts.stageOf(stage + 1, format(this.way[k].weight), nameAt(this.way, k)) });
      button.addEventListener("click", () => {
        this.slider.value = String(k);
        this.slider.dispatchEvent(new Event("input"));
      });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
  }

  /** @private @param {Placed} placed */
  tell(placed) {
    const { iterations, energy, weight } = placed;
    const worst = /** @type {Layout} */ (this.layout).worst(placed);
    const words = texts.moment(iterations, format(Number(energy.toPrecision(3))), format(Number(worst.toPrecision(2))), format(weight));
    this.words.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
  }
}

/** Computes layouts on the way to the layout of the seed, about as many as SAMPLES, one after the other. The last layout of each
 * solve is its end. @param {Layout} layout @returns {Generator<Moment, void>} */
export function* replay(layout) {
  const parts = layout.beginning();
  const total = parts.reduce((sum, { placed }) => sum + placed.iterations, 0);
  const stride = Math.max(total / SAMPLES, 1);
  let made = 0;
  for (const part of parts) {
    const { start, stage, placed: { iterations } } = part;
    const count = Math.max(Math.round(iterations / stride), 1);
    let weight = 0;
    for (let k = 0; k <= count; k++) {
      const placed = k < count ? layout.solve(start, null, null, { stage, iterations: Math.round((k * iterations) / count) }) : part.placed;
      yield { ...placed, iterations: made + placed.iterations, part, isStart: placed.weight > weight };
      ({ weight } = placed);
    }
    made += iterations;
  }
}

/** @param {readonly Moment[]} way @param {number} k @returns {string} the name of a declared stage that begins at moment k */
function nameAt(way, k) {
  return way[k - 1]?.part === way[k].part ? "" : way[k].part.name;
}

/** Converts values to heights between 0 and 1. The scale is logarithmic in the difference from the smallest value.
 * @param {number[]} values @returns {number[]} */
function scaled(values) {
  const finite = values.filter(Number.isFinite);
  const least = Math.min(...finite);
  const logs = values.map((value) => Math.log10(Math.max((Number.isFinite(value) ? value : Math.max(...finite)) - Math.min(least, 0), 0) + LEAST));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return logs.map((value) => (high > low ? (value - low) / (high - low) : 0));
}
