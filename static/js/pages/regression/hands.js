// What a person holds on the regression page: points, and the line as a place on the surface; by pointer and by keys.

/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../widgets/handles.js").Handle} Handle */
/** @typedef {import("../../widgets/handles.js").Handles} Handles */
/** @typedef {import("../../widgets/plot-picture.js").PlotPicture} PlotPicture */
/** @typedef {import("./regression.js").Regression} Regression */

import { attachGrips } from "../../gestures/grips.js";
import { attachKeys } from "../../gestures/keys.js";
import { clamp, tidy } from "../../model/numbers.js";
import { nearestHandle } from "../../widgets/handles.js";
import * as fits from "./fit.js";
import { LINE } from "./view.js";

/** What an arrow key moves: a point, and of the line its slope and its intercept. */
const POINT_STEP = 0.1;
const LINE_STEP = /** @type {const} */ ([0.01, 0.05]);

/** @param {Regression} page @returns {(() => void)[]} detach */
export function attachPlots(page) {
  const { display: { scatter, surface, points, lines }, journey } = page;
  /** @type {string | null} */
  let held = null;
  const hold = (/** @type {string | null} */ id) => {
    held = id;
    journey.isHeld = id !== null;
    journey.settle();
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
        if (id !== LINE) page.choose(Number(id));
        handles.mark(id, id);
        handles.focus(id);
      },
      drag: (id, x, y) => {
        const to = picture.frame.toMath(x, y);
        if (id === LINE) putLine(page, to, "drag line");
        else page.edit((fit) => fits.movePoint(fit, Number(id), to), `drag ${id}`, "points");
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
    attach(scatter, points, () => page.display.pointHandles(page.fit), (at) => page.add(at)),
    attach(surface, lines, () => page.display.lineHandles(page.fit), (at) => putLine(page, at, null)),
  ];
}

/** The line that a place of the surface is, within the picture. @param {Regression} page @param {Point} to
 * @param {string | null} tag */
function putLine(page, [slope, intercept], tag) {
  const [s0, s1, i0, i1] = page.display.surface.frame.region;
  const line = /** @type {const} */ ([rounded(clamp(slope, s0, s1)), rounded(clamp(intercept, i0, i1))]);
  page.edit((fit) => fits.setLine(fit, line), tag, "line");
}

/** @param {Regression} page @param {HTMLElement} element @param {string} id */
export function attachHandleKeys(page, element, id) {
  const k = Number(id);
  const moveLine = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const move = (/** @type {Fit} */ fit) =>
      fits.setLine(fit, [tidy(fit.line[0] + dx * LINE_STEP[0]), tidy(fit.line[1] + dy * LINE_STEP[1])]);
    page.edit(move, "keys line", "line");
  };
  const movePoint = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    const move = (/** @type {Fit} */ fit) => {
      const [x, y] = fit.points[k];
      return fits.movePoint(fit, k, [x + dx * POINT_STEP, y + dy * POINT_STEP]);
    };
    page.edit(move, `keys ${id}`, "points");
    page.hideHint();
  };
  attachKeys(element, {
    arrow: id === LINE ? moveLine : movePoint,
    home: () => id === LINE && page.edit((fit) => fits.setLine(fit, page.startLine()), null, "line"),
    zoom: () => {},
  });
  if (id === LINE) return;
  element.addEventListener("focus", () => page.choose(k));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") page.remove(k);
  });
}

/** @param {number} value @returns {number} as finely as the fields show it */
function rounded(value) {
  return Number(value.toPrecision(4));
}
