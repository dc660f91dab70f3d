// What can be held: the goal, or, where the robot is edited, its masses; as elements for keys and assistive
// technology. The pointer goes by distance, and finds springs too.

/** @typedef {import("../model/table-frame.js").TableFrame} TableFrame */
/** @typedef {import("../model/types.js").Robot} Robot */
/** @typedef {"goal" | number} Holdable a mass by its number */
/** @typedef {Holdable | `spring ${number}`} Found */

import { format } from "../model/numbers.js";
import * as texts from "../texts.js";

export class RobotGrips {
  /** @param {HTMLElement} place @param {(element: HTMLElement, grip: Holdable) => void} onNew gives it keys */
  constructor(place, onNew) {
    this.place = place;
    this.onNew = onNew;
    /** @type {Map<Holdable, HTMLElement>} */
    this.elements = new Map();
  }

  /** @param {Robot} robot @param {boolean} editing @param {TableFrame} frame */
  show(robot, editing, frame) {
    const grips = gripsOf(robot, editing);
    for (const [grip, element] of this.elements) {
      if (grips.includes(grip)) continue;
      element.remove();
      this.elements.delete(grip);
    }
    for (const grip of grips) {
      const element = this.elements.get(grip) ?? this.add(grip);
      const at = grip === "goal" ? robot.goal : robot.masses[grip];
      const [x, y] = frame.toPx(at);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const label = texts.holdLabel(grip, format(at[0]), format(at[1]));
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    }
  }

  /** @param {Found | null} near @param {Found | null} held */
  mark(near, held) {
    for (const [grip, element] of this.elements) {
      element.classList.toggle("is-near", grip === near);
      element.classList.toggle("is-held", grip === held);
    }
  }

  /** @param {Found} grip */
  focus(grip) {
    this.elements.get(/** @type {Holdable} */ (grip))?.focus({ preventScroll: true });
  }

  /** @private @param {Holdable} grip */
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

/** @param {Robot} robot @param {boolean} editing @returns {Holdable[]} */
function gripsOf({ masses }, editing) {
  return editing ? [...masses.keys()] : ["goal"];
}

/** The nearest thing within reach; a spring only where no mass is.
 * @param {Robot} robot @param {boolean} editing @param {TableFrame} frame @param {number} xPx @param {number} yPx
 * @param {number} reachPx @returns {{grip: Found, xPx: number, yPx: number} | null} */
export function nearestHold(robot, editing, frame, xPx, yPx, reachPx) {
  let least = reachPx;
  let found = null;
  for (const grip of gripsOf(robot, editing)) {
    const [x, y] = frame.toPx(grip === "goal" ? robot.goal : robot.masses[grip]);
    const distance = Math.hypot(x - xPx, y - yPx);
    if (distance >= least) continue;
    least = distance;
    found = { grip: /** @type {Found} */ (grip), xPx: x, yPx: y };
  }
  if (!editing) return found;
  // A spring's middle is nearer than its masses where masses crowd.
  robot.springs.forEach(({ a, b }, k) => {
    const [x, y] = frame.toPx(robot.masses[a]);
    const [u, v] = frame.toPx(robot.masses[b]);
    const share = ((xPx - x) * (u - x) + (yPx - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2);
    if (!(share > 0.25 && share < 0.75)) return;
    const distance = Math.hypot(x + share * (u - x) - xPx, y + share * (v - y) - yPx);
    if (distance >= Math.min(least, reachPx / 2)) return;
    least = distance;
    found = { grip: /** @type {Found} */ (`spring ${k}`), xPx, yPx };
  });
  return found;
}
