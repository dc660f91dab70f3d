// Moves the points of the fit page by pointer and by keys.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Doc>} Page */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./scene.js").FitScene} FitScene */
/** @typedef {import("./view.js").FitView} FitView */
/**
 * The parts of the page that the gestures use.
 * @typedef {object} FitHands
 * @property {Page} page
 * @property {FitView} display
 * @property {() => FitScene} scene returns the scene that is shown
 * @property {(change: (doc: Doc) => Doc, tag: string | null) => void} edit changes the document; changes with the same tag are
 *   undone together
 * @property {(k: number) => void} choose chooses point k
 * @property {(at: Point) => void} add adds a point
 * @property {(k: number) => void} remove removes point k
 */

import { attachGrips } from "../../gestures/grips.js";
import { attachKeys } from "../../gestures/keys.js";
import { keyStep } from "../../model/numbers.js";
import { nearestHandle } from "../../widgets/handles.js";
import * as docs from "./doc.js";

/** @param {FitHands} hands @returns {() => void} removes the listeners */
export function attachScatter(hands) {
  const { page, display } = hands;
  const { scatter, grips } = display;
  return attachGrips(scatter.place, {
    find: (x, y, reach) => nearestHandle(display.allHandles(hands.scene()), x, y, reach),
    hover: (/** @type {string | null} */ id) => {
      scatter.place.classList.toggle("is-near", id !== null);
      grips.mark(id, null);
    },
    grab: (id) => {
      page.hold(true);
      hands.choose(Number(id));
      grips.mark(id, id);
      grips.focus(id);
    },
    drag: (id, x, y) => movePoint(hands, Number(id), scatter.frame.toMath(x, y), `drag ${id}`),
    release: (_, moved) => {
      page.hold(false);
      grips.mark(null, null);
      if (moved) page.hideHint();
      page.refresh();
    },
    place: (x, y) => {
      if (scatter.frame.contains(x, y)) hands.add(scatter.frame.toMath(x, y));
    },
  });
}

/** @param {FitHands} hands @param {number} k @param {Point} to @param {string} tag */
function movePoint(hands, k, to, tag) {
  const { region } = hands.scene();
  hands.edit((doc) => docs.movePoint(doc, k, to, region), tag);
}

/** @param {FitHands} hands @param {HTMLElement} element @param {string} id */
export function attachPointKeys(hands, element, id) {
  const k = Number(id);
  attachKeys(element, {
    arrow: (dx, dy) => {
      const { region: [x0, x1, y0, y1], doc } = hands.scene();
      const [x, y] = doc.points[k];
      movePoint(hands, k, [x + dx * keyStep(x1 - x0), y + dy * keyStep(y1 - y0)], `keys ${id}`);
      hands.page.hideHint();
    },
    home: () => {},
    zoom: () => {},
  });
  element.addEventListener("focus", () => hands.choose(k));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") hands.remove(k);
    if (event.key === "x") hands.edit((doc) => docs.change(doc, k, ([x, y, sigma, out]) => [x, y, sigma, !out]), null);
  });
}
