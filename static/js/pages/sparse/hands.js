// Moves a node and cuts springs, by pointer and by keys.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../widgets/canvas-picture.js").CanvasPicture<any>} Picture */
/** @typedef {import("../../widgets/handles.js").Handles<number>} Grips */
/**
 * Functions that the gestures on a net call.
 * @typedef {object} NetHands
 * @property {() => ArrayLike<number>} x returns the coordinates of the nodes
 * @property {() => boolean} isCutting returns true if the pointer cuts springs instead of pulling nodes
 * @property {(node: number) => void} grab called when the pointer grips a node
 * @property {(to: Point) => void} pull pulls the gripped node to a place
 * @property {(moved: boolean) => void} release called when the pointer lets go of the node
 * @property {(from: Point, to: Point) => void} stroke cuts all springs that cross a line
 * @property {() => void} strokeEnd called when the pointer has ended a cut
 * @property {(dx: number, dy: number) => void} nudge pulls the chosen node by a distance in x and y
 * @property {() => void} letGo stops pulling the chosen node
 * @property {() => void} cutHere cuts all springs at the chosen node
 */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";
import { clamp } from "../../model/numbers.js";

const KEY_STEP = 0.25;

/** @param {HTMLElement} place @param {Picture} picture @param {Grips} grips @param {NetHands} hands @returns {() => void} detaches */
export function attachNet(place, picture, grips, hands) {
  const metres = (/** @type {number} */ x, /** @type {number} */ y) =>
    picture.frame.toMetres(clamp(x, 0, picture.frame.widthPx), clamp(y, 0, picture.frame.heightPx));
  const drop = attachHold(place, { mark: (near, held) => grips.mark(near, held), focus: (node) => grips.focus(node) }, {
    find: (x, y, reach) => (hands.isCutting() ? null : nearestNode(hands.x(), picture.frame, x, y, reach)),
    metres,
    held: (node) => {
      if (node !== null) hands.grab(node);
    },
    move: (_, to) => hands.pull(to),
    release: (_, moved) => hands.release(moved),
    place: () => {},
  });
  const detach = attachStrokes(place, metres, hands);
  return () => {
    drop();
    detach();
  };
}

/** @param {HTMLElement} place @param {(x: number, y: number) => Point} metres @param {NetHands} hands @returns {() => void} */
function attachStrokes(place, metres, hands) {
  /** @type {{id: number, at: Point} | null} */
  let blade = null;
  const at = (/** @type {PointerEvent} */ event) => {
    const rect = place.getBoundingClientRect();
    return metres(event.clientX - rect.left, event.clientY - rect.top);
  };
  const down = (/** @type {PointerEvent} */ event) => {
    if (!hands.isCutting() || event.button !== 0 || blade !== null) return;
    event.preventDefault();
    place.setPointerCapture(event.pointerId);
    blade = { id: event.pointerId, at: at(event) };
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (blade === null || event.pointerId !== blade.id) return;
    const to = at(event);
    hands.stroke(blade.at, to);
    blade.at = to;
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (blade === null || event.pointerId !== blade.id) return;
    blade = null;
    hands.strokeEnd();
  };
  const touch = (/** @type {TouchEvent} */ event) => {
    if (hands.isCutting()) event.preventDefault();
  };
  const listeners = /** @type {const} */ ([["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointercancel", up]]);
  for (const [name, listener] of listeners) place.addEventListener(name, listener);
  place.addEventListener("touchstart", touch, { passive: false });
  return () => {
    for (const [name, listener] of listeners) place.removeEventListener(name, listener);
    place.removeEventListener("touchstart", touch);
  };
}

/** @param {HTMLElement} element @param {NetHands} hands */
export function attachNodeKeys(element, hands) {
  attachKeys(element, { arrow: (dx, dy) => hands.nudge(dx * KEY_STEP, dy * KEY_STEP), home: hands.letGo, zoom: () => {} });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") hands.cutHere();
  });
}

/** @param {ArrayLike<number>} x @param {import("../../model/metre-frame.js").TableFrame} frame @param {number} xPx
 * @param {number} yPx @param {number} reachPx @returns {{grip: number, xPx: number, yPx: number} | null} */
function nearestNode(x, frame, xPx, yPx, reachPx) {
  let nearest = null;
  let least = reachPx;
  for (let node = 0; 2 * node < x.length; node++) {
    const [a, b] = frame.toPx([x[2 * node], x[2 * node + 1]]);
    const distance = Math.hypot(a - xPx, b - yPx);
    if (distance >= least) continue;
    least = distance;
    nearest = { grip: node, xPx: a, yPx: b };
  }
  return nearest;
}
