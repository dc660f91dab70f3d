// Moves the points and the line of the regression page, by pointer and by keys. In the picture of the losses, a point means a
// line: its coordinates are the line's slope and intercept.

/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Fit>} Page */
/** @typedef {import("../../widgets/handles.js").Handle} Handle */
/** @typedef {import("../../widgets/handles.js").Handles} Handles */
/** @typedef {import("../../widgets/plot-picture.js").PlotPicture} PlotPicture */
/** @typedef {import("./view.js").RegressionView} RegressionView */
/** The part of the fit that a change affects: the line, the points or the method of descent.
 * @typedef {"line" | "points" | "method"} Concern */
/**
 * The effects of gestures on points and their line.
 * @typedef {object} FitHands
 * @property {Page} page
 * @property {RegressionView} display
 * @property {() => Fit} fit returns the points, the line and the settings
 * @property {() => fits.Line} startLine returns the line that the key Home restores
 * @property {(change: (fit: Fit) => Fit, tag: string | null, concern: Concern) => void} edit changes the fit; changes with
 *   the same tag are undone together
 * @property {(k: number) => void} choose chooses point k
 * @property {(at: Point) => void} add adds a point
 * @property {(k: number) => void} remove removes point k
 */

import { attachGrips } from "../../gestures/grips.js";
import { attachKeys } from "../../gestures/keys.js";
import { clamp, tidy } from "../../model/numbers.js";
import { nearestHandle } from "../../widgets/handles.js";
import * as fits from "./fit.js";
import { LINE } from "./view.js";

/** An arrow key moves a point by POINT_STEP. If the line has the focus, an arrow key changes the line's slope by LINE_STEP[0],
 * or the line's intercept by LINE_STEP[1]. */
const POINT_STEP = 0.1;
const LINE_STEP = /** @type {const} */ ([0.01, 0.05]);

/** @param {FitHands} hands @returns {(() => void)[]} functions that remove the listeners */
export function attachPlots(hands) {
  const { page, display } = hands;
  const { scatter, surface, points, lines } = display;
  /** @type {string | null} */
  let held = null;
  const hold = (/** @type {string | null} */ id) => {
    held = id;
    page.hold(id !== null);
  };
  /** @type {(picture: PlotPicture, handles: Handles, shown: () => Handle[], place: (at: Point) => void) => () => void} */
  const attach = (picture, handles, shown, place) =>
    attachGrips(picture.place, {
      find: (x, y, reach) => nearestHandle(shown(), x, y, reach),
      hover: (/** @type {string | null} */ id) => {
        picture.place.classList.toggle("is-near", id !== null);
        handles.mark(id, held);
      },
      grab: (id) => {
        hold(id);
        if (id !== LINE) hands.choose(Number(id));
        handles.mark(id, id);
        handles.focus(id);
      },
      drag: (id, x, y) => {
        const to = picture.frame.toMath(x, y);
        if (id === LINE) putLine(hands, to, "drag line");
        else hands.edit((fit) => fits.movePoint(fit, Number(id), to), `drag ${id}`, "points");
      },
      release: (id, moved) => {
        hold(null);
        handles.mark(null, null);
        if (moved && id !== LINE) page.hideHint();
        page.refresh();
      },
      place: (x, y) => {
        if (picture.frame.contains(x, y)) place(picture.frame.toMath(x, y));
      },
    });
  return [
    attach(scatter, points, () => display.pointHandles(hands.fit()), (at) => hands.add(at)),
    attach(surface, lines, () => display.lineHandles(hands.fit()), (at) => putLine(hands, at, null)),
  ];
}

/** Sets the line's slope and intercept to the coordinates of a point in the picture of the losses. If the point is outside the
 * picture, uses the nearest point at the picture's edge.
 * @param {FitHands} hands @param {Point} to
 * @param {string | null} tag */
function putLine(hands, [slope, intercept], tag) {
  const [s0, s1, i0, i1] = hands.display.surface.frame.region;
  const line = /** @type {const} */ ([rounded(clamp(slope, s0, s1)), rounded(clamp(intercept, i0, i1))]);
  hands.edit((fit) => fits.setLine(fit, line), tag, "line");
}

/** @param {FitHands} hands @param {HTMLElement} element @param {string} id */
export function attachHandleKeys(hands, element, id) {
  const k = Number(id);
  const moveLine = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const move = (/** @type {Fit} */ fit) =>
      fits.setLine(fit, [tidy(fit.line[0] + dx * LINE_STEP[0]), tidy(fit.line[1] + dy * LINE_STEP[1])]);
    hands.edit(move, "keys line", "line");
  };
  const movePoint = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const move = (/** @type {Fit} */ fit) => {
      const [x, y] = fit.points[k];
      return fits.movePoint(fit, k, [x + dx * POINT_STEP, y + dy * POINT_STEP]);
    };
    hands.edit(move, `keys ${id}`, "points");
    hands.page.hideHint();
  };
  attachKeys(element, {
    arrow: id === LINE ? moveLine : movePoint,
    home: () => id === LINE && hands.edit((fit) => fits.setLine(fit, hands.startLine()), null, "line"),
    zoom: () => {},
  });
  if (id === LINE) return;
  element.addEventListener("focus", () => hands.choose(k));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") hands.remove(k);
  });
}

/** @param {number} value @returns {number} rounded to the digits that the fields show */
function rounded(value) {
  return Number(value.toPrecision(4));
}
