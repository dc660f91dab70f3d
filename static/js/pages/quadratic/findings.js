// The list of critical points, the end of the descent, and the largest error, in words.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Shown} Shown */
/** @typedef {import("./survey.js").Descent} Descent */

import { format } from "../../model/numbers.js";
import * as texts from "./texts.js";

const MOST_LISTED = 12;
/** If more than this many critical points have an unknown kind, they probably form whole curves. */
const MOST_OPEN = 3;

export class Findings {
  /** @param {HTMLElement} place @param {(point: Point) => void} onChoose */
  constructor(place, onChoose) {
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (place.querySelector(selector));
    this.list = find(".critical-points");
    this.rest = find(".critical-rest");
    this.descent = find(".descent-end");
    this.error = find(".largest-error");
    this.onChoose = onChoose;
    /** @type {readonly Critical[]} */
    this.listed = [];
  }

  /** @param {Shown} shown @param {readonly Critical[] | null} critical the critical points, or null if they are not known yet
   * @param {Descent} descent @param {number} largest the approximation's largest error inside the disc */
  show(shown, critical, descent, largest) {
    const open = critical?.filter(({ kind }) => kind === "undecided") ?? [];
    const isCurve = open.length > MOST_OPEN;
    const clear = (isCurve ? critical?.filter(({ kind }) => kind !== "undecided") : critical) ?? [];
    this.showList(shown.critical ? clear.slice(0, MOST_LISTED) : []);
    write(this.rest, shown.critical ? restOf(critical, clear.length, isCurve ? open.length : 0) : "");
    write(this.descent, shown.descent && descent.end !== null ? texts.DESCENT_ENDS[descent.end](descent.path.length - 1) : "");
    write(this.error, shown.error && !Number.isNaN(largest) ? texts.largestError(format(largest)) : "");
  }

  /** @private @param {readonly Critical[]} points */
  showList(points) {
    if (points.length === this.listed.length && points.every((point, k) => point === this.listed[k])) return;
    this.listed = points;
    this.list.replaceChildren(...points.map(({ at, f, kind }) => {
      const item = document.createElement("li");
      const swatch = document.createElement("span");
      swatch.className = `swatch is-${kind}`;
      swatch.ariaHidden = "true";
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = texts.criticalPoint(texts.CRITICAL_KINDS[kind], format(at[0]), format(at[1]), format(f));
      button.addEventListener("click", () => this.onChoose(at));
      item.append(swatch, button);
      return item;
    }));
  }
}

/** @param {readonly Critical[] | null} critical @param {number} clear the points to list @param {number} open the places on curves */
function restOf(critical, clear, open) {
  if (critical === null) return texts.CRITICAL_COMING;
  if (critical.length === 0) return texts.NO_CRITICAL;
  const more = clear > MOST_LISTED ? [texts.criticalMore(clear - MOST_LISTED)] : [];
  return [...more, ...(open > 0 ? [texts.criticalCurve(open)] : [])].join(" ");
}

/** @param {HTMLElement} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
