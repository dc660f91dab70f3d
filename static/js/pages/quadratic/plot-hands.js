// The gestures in the contour map, and at the grip that turns the slice.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./hands.js").Page} Page */
/** @typedef {import("./plots.js").Plots} Plots */

import { attachKeys } from "../../gestures/keys.js";
import { attachPointer } from "../../gestures/pointer.js";
import { angleOf } from "../../model/slice.js";
import { DRAG } from "../../page/formula-journey.js";
import { movesOf } from "./hands.js";
import * as docs from "../../model/doc.js";

/** An arrow key shifts the map by this share of the region. */
const PAN_SHARE = 0.05;

/** @param {Page} page @param {Plots} plots @returns {(() => void)[]} functions that remove the listeners */
export function attachPlotHands(page, { map, grip }) {
  const { settle, zoom, release, home, step, pan } = movesOf(page);
  const onMap = (/** @type {number} */ xPx, /** @type {number} */ yPx) => map.frame.toMath(xPx / map.scale, yPx / map.scale);
  const panMap = (/** @type {number} */ dxPx, /** @type {number} */ dyPx) => {
    const [[x0, y0], [x1, y1]] = [onMap(0, 0), onMap(dxPx, dyPx)];
    pan(x0 - x1, y0 - y1);
  };
  return [
    attachPointer(map.place, map.handle, {
      grab: settle,
      drag: (xPx, yPx) => {
        page.move();
        page.movePoint(onMap(xPx, yPx), DRAG);
      },
      release,
      turn: panMap,
      pan: panMap,
      place: (xPx, yPx) => {
        if (map.frame.contains(xPx / map.scale, yPx / map.scale)) page.movePoint(onMap(xPx, yPx), null);
      },
      zoom: (factor, xPx, yPx) => page.change(docs.zoom(page.doc, factor, onMap(xPx, yPx)), "zoom"),
    }),
    attachKeys(map.handle, { arrow: step, home, zoom }),
    attachKeys(map.canvas, {
      arrow: (dx, dy) => {
        const [x0, x1, y0, y1] = page.doc.region;
        pan(dx * PAN_SHARE * (x1 - x0), dy * PAN_SHARE * (y1 - y0));
      },
      home: () => page.change(docs.setRegion(page.doc, page.preset.doc.region), null),
      zoom,
    }),
    attachGrip(page, map.place, grip, onMap),
    attachKeys(grip, {
      arrow: (dx, dy) => turnSlice(page, page.doc.shown.angle + dx + dy),
      home: () => turnSlice(page, 0),
      zoom,
    }),
  ];
}

/** @param {Page} page @param {number} angle in degrees */
function turnSlice(page, angle) {
  page.change(docs.setShown(page.doc, { angle: docs.wholeTurn(angle) }), "angle");
}

/** Lets you turn the slice by dragging the grip at its end. @param {Page} page @param {HTMLElement} map
 * @param {HTMLElement} grip
 * @param {(xPx: number, yPx: number) => Point} toMath @returns {() => void} removes the listeners */
function attachGrip(page, map, grip, toMath) {
  const down = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    page.formula.settle();
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const rect = map.getBoundingClientRect();
    const [x, y] = toMath(event.clientX - rect.left, event.clientY - rect.top);
    const [px, py] = page.doc.point;
    page.move();
    turnSlice(page, Math.round(angleOf(x - px, y - py)));
  };
  const up = () => {
    page.formula.settle();
    page.stay();
  };
  const listeners = /** @type {const} */ ([["pointerdown", down], ["pointermove", move], ["pointerup", up]]);
  for (const [name, listener] of listeners) grip.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) grip.removeEventListener(name, listener);
  };
}
