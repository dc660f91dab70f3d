// Lets you drag one of many grips in a picture. A grip near the pointer is marked. A grip that you grab gets the focus and
// follows the pointer.

/** @typedef {import("../model/types.js").Point} Point */
/**
 * Functions that are called while you drag a grip.
 * @template G
 * @typedef {object} HoldHandlers
 * @property {(xPx: number, yPx: number, reachPx: number) => {grip: G, xPx: number, yPx: number} | null} find - returns the
 *   nearest grip within reach
 * @property {(xPx: number, yPx: number) => Point} metres - converts pixels to metres
 * @property {(grip: G | null) => void} held - called with the grip when you grab it, and with null when you release it
 * @property {(grip: G, to: Point) => void} move - called with the grip's new position in metres
 * @property {(grip: G, moved: boolean) => void} release - called when the grip is released. `moved` is false after a click
 * @property {(at: Point) => void} place - called for a double click where there is no grip
 */

import { attachGrips } from "./grips.js";

/** Attaches the handlers to a picture. @template G @param {HTMLElement} place the picture
 * @param {{mark: (near: G | null, held: G | null) => void, focus: (grip: G) => void}} elements marks and focuses grips
 * @param {HoldHandlers<G>} handlers @returns {() => void} removes the listeners */
export function attachHold(place, elements, { find, metres, held, move, release, place: put }) {
  return attachGrips(place, {
    find,
    hover: (/** @type {G | null} */ grip) => {
      place.classList.toggle("is-near", grip !== null);
      elements.mark(grip, null);
    },
    grab: (grip) => {
      elements.mark(grip, grip);
      elements.focus(grip);
      held(grip);
    },
    drag: (grip, x, y) => move(grip, metres(x, y)),
    release: (grip, moved) => {
      elements.mark(null, null);
      held(null);
      release(grip, moved);
    },
    place: (x, y) => put(metres(x, y)),
  });
}
