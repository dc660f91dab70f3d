// What can be held on the table, as elements for keys and assistive technology; the pointer goes by distance.

/** @typedef {import("../model/table.js").Grip} Grip */
/** @typedef {import("../model/table-frame.js").TableFrame} TableFrame */
/** @typedef {import("../model/types.js").Table} Table */

import { placeOf } from "../model/table.js";
import { format } from "../model/numbers.js";
import * as texts from "../texts.js";

/** @param {Table} table @returns {Grip[]} all there is to hold, what a person wants first in front */
export function gripsOf({ rack }) {
  return ["goal", "tip", "cue", ...rack.map((_, k) => k + 1)];
}

export class Grips {
  /** @param {HTMLElement} place @param {(element: HTMLElement, grip: Grip) => void} onNew gives it keys */
  constructor(place, onNew) {
    this.place = place;
    this.onNew = onNew;
    /** @type {Map<Grip, HTMLElement>} */
    this.elements = new Map();
    /** @type {{near: Grip | null, held: Grip | null}} */
    this.marked = { near: null, held: null };
  }

  /** @param {Table} table @param {TableFrame} frame */
  show(table, frame) {
    const grips = gripsOf(table);
    for (const [grip, element] of this.elements) {
      if (grips.includes(grip)) continue;
      element.remove();
      this.elements.delete(grip);
    }
    for (const grip of grips) {
      const element = this.elements.get(grip) ?? this.add(grip);
      const at = placeOf(table, grip);
      const [x, y] = frame.toPx(at);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const label = texts.gripLabel(grip, format(at[0]), format(at[1]), grip === table.target);
      // A focused label that changes is read out: not with each step of a descent.
      if (document.activeElement !== element || !element.hasAttribute("aria-label")) setLabel(element, label);
    }
  }

  /** @param {Grip | null} near @param {Grip | null} held */
  mark(near, held) {
    this.marked = { near, held };
    for (const [grip, element] of this.elements) {
      element.classList.toggle("is-near", grip === near);
      element.classList.toggle("is-held", grip === held);
    }
  }

  /** @param {Grip} grip */
  focus(grip) {
    this.elements.get(grip)?.focus({ preventScroll: true });
  }

  /** @private @param {Grip} grip */
  add(grip) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "grip";
    element.dataset.grip = String(grip);
    this.place.append(element);
    this.elements.set(grip, element);
    this.onNew(element, grip);
    return element;
  }
}

/** The nearest thing to hold within reach; the goal, the arrow and the cue ball win over a ball of the rack that
 * is hardly nearer.
 * @param {Table} table @param {TableFrame} frame @param {number} xPx @param {number} yPx @param {number} reachPx
 * @returns {{grip: Grip, xPx: number, yPx: number} | null} */
export function nearestGrip(table, frame, xPx, yPx, reachPx) {
  let found = null;
  let least = reachPx;
  for (const grip of gripsOf(table)) {
    const [x, y] = frame.toPx(placeOf(table, grip));
    const distance = Math.hypot(x - xPx, y - yPx) + (typeof grip === "number" ? 3 : 0);
    if (distance >= least) continue;
    least = distance;
    found = { grip, xPx: x, yPx: y };
  }
  return found;
}

/** @param {HTMLElement} element @param {string} label */
function setLabel(element, label) {
  if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
}
