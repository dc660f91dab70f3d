// Moves the shapes of a diagram, by pointer and by keys.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<any>} Page */
/** @typedef {import("./view.js").DiagramView} DiagramView */
/**
 * The page, the view, and the functions with which gestures change the diagram.
 * @typedef {object} DiagramHands
 * @property {Page} page
 * @property {DiagramView} display
 * @property {(grip: number, at: Point) => void} drag - pulls a grip to a point, and solves the layout of one frame
 * @property {(grip: number, over: () => void) => void} release - ends a drag, and calls `over` when the diagram has settled
 * @property {(grip: number, dx: number, dy: number) => void} nudge - moves a grip by a fraction of the canvas's size
 * @property {() => void} unpin - removes the pin, so that the dragged shape can move again
 */

import { attachHold } from "../../gestures/hold.js";
import { attachKeys } from "../../gestures/keys.js";

/** An arrow key moves a shape by this share of the canvas. */
export const KEY_STEP = 0.01;

/** @param {DiagramHands} hands @returns {() => void} removes the listeners */
export function attachDiagram(hands) {
  const { page, display } = hands;
  const { picture, handles } = display;
  const elements = {
    mark: (/** @type {string | null} */ near, /** @type {string | null} */ held) => {
      handles.mark(near, held);
      display.mark(near === null ? null : Number(near), held === null ? null : Number(held));
    },
    focus: (/** @type {string} */ id) => handles.focus(id),
  };
  return attachHold(picture.place, elements, {
    find: (x, y, reach) => {
      const grip = display.partAt(x, y, reach) ?? picture.shapeAt(x, y, reach);
      if (grip === null) return null;
      const [xPx, yPx] = picture.toPx(display.centreOf(grip));
      return { grip: String(grip), xPx, yPx };
    },
    metres: (x, y) => picture.fromPx(x, y),
    held: (grip) => grip !== null && page.hold(true),
    move: (grip, to) => hands.drag(Number(grip), to),
    release: (grip, moved) => {
      const over = () => {
        page.hold(false);
        page.release();
      };
      if (moved) {
        page.hideHint();
        hands.release(Number(grip), over);
      } else {
        over();
      }
    },
    place: () => {},
  });
}

/** @param {DiagramHands} hands @param {HTMLElement} element @param {string} id of a grip */
export function attachShapeKeys(hands, element, id) {
  const grip = Number(id);
  attachKeys(element, {
    arrow: (dx, dy) => {
      hands.nudge(grip, dx * KEY_STEP, dy * KEY_STEP);
      hands.page.hideHint();
    },
    home: () => {},
    zoom: () => {},
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") hands.unpin();
  });
  element.addEventListener("focus", () => hands.display.focus(grip));
  element.addEventListener("blur", () => hands.display.focus(null));
}
