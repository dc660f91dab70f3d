// What the hands do in the pictures, by mouse, touch and keys.

/** @typedef {import("../../model/types.js").Point} Point */
/**
 * @typedef {object} Page the parts of the page that the hands use
 * @property {import("../../model/types.js").Doc} doc
 * @property {import("../../model/types.js").View} view
 * @property {import("../../model/types.js").Preset} preset
 * @property {{pictures: import("./pictures.js").Pictures}} display
 * @property {{settle: () => void}} formula
 * @property {(doc: import("../../model/types.js").Doc, tag: string | null) => void} change
 * @property {(point: Point, tag: string | null) => void} movePoint
 * @property {(dx: number, dy: number) => void} step
 * @property {(yaw: number, pitch: number) => void} turn
 * @property {(view: import("../../model/types.js").View) => void} look
 * @property {() => void} move notes a motion
 * @property {() => void} stay ends the motion
 */

import { attachKeys } from "../../gestures/keys.js";
import { attachPointer } from "../../gestures/pointer.js";
import { START_VIEW } from "../../model/camera.js";
import { pick } from "../../model/pick.js";
import { angleOf } from "../../model/slice.js";
import { DRAG } from "../../page/formula-journey.js";
import * as docs from "../../model/doc.js";

export const TURN_STEP = Math.PI / 36;
const TURN_PER_PX = 0.008;
/** An arrow key moves the map by this share of the region. */
const PAN_SHARE = 0.05;
const PAN = "pan";

/** @param {Page} page @returns {(() => void)[]} detach */
export function attachHands(page) {
  const { surface, map, grip } = page.display.pictures;
  const zoom = (/** @type {number} */ factor) => page.change(docs.zoom(page.doc, factor), "zoom");
  const settle = () => page.formula.settle();
  const release = () => {
    settle();
    page.stay();
  };
  const home = () => page.change(docs.placePoint(page.doc, page.preset.doc.point), "home");
  const step = (/** @type {number} */ dx, /** @type {number} */ dy) => page.step(dx, dy);
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    page.move();
    page.change(docs.pan(page.doc, dx, dy), PAN);
  };

  const onSurface = (/** @type {number} */ xPx, /** @type {number} */ yPx, /** @type {Point | null} */ from, /** @type {string | null} */ tag) => {
    const { mesh } = page.display.pictures;
    const point = mesh && pick(mesh, surface.camera(page.view), xPx / surface.scale, yPx / surface.scale, from);
    if (point !== null) page.movePoint(point, tag);
  };
  const onMap = (/** @type {number} */ xPx, /** @type {number} */ yPx) => map.frame.toMath(xPx / map.scale, yPx / map.scale);
  const panMap = (/** @type {number} */ dxPx, /** @type {number} */ dyPx) => {
    const [[x0, y0], [x1, y1]] = [onMap(0, 0), onMap(dxPx, dyPx)];
    pan(x0 - x1, y0 - y1);
  };
  return [
    attachPointer(surface.frame, surface.handle, {
      grab: settle,
      drag: (xPx, yPx) => {
        page.move();
        onSurface(xPx, yPx, page.doc.point, DRAG);
      },
      release,
      turn: (dxPx, dyPx) => {
        page.move();
        page.turn(dxPx * TURN_PER_PX, dyPx * TURN_PER_PX);
      },
      place: (xPx, yPx) => onSurface(xPx, yPx, null, null),
      zoom,
      pan: (dxPx, dyPx) => {
        const box = page.display.pictures.mesh?.box;
        if (box === undefined) return;
        const [dx, dy] = surface.camera(page.view).across(dxPx / surface.scale, dyPx / surface.scale);
        pan(-dx / box.sx, -dy / box.sy);
      },
    }),
    attachKeys(surface.handle, { arrow: step, home, zoom }),
    attachKeys(surface.canvas, {
      arrow: (dx, dy) => page.turn(dx * TURN_STEP, -dy * TURN_STEP),
      home: () => page.look(START_VIEW),
      zoom,
    }),
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
    attachGrip(page, grip, onMap),
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

/** Lets a pointer turn the slice by the grip at its end. @param {Page} page @param {HTMLElement} grip
 * @param {(xPx: number, yPx: number) => Point} toMath @returns {() => void} detaches */
function attachGrip(page, grip, toMath) {
  const down = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    page.formula.settle();
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const rect = page.display.pictures.map.place.getBoundingClientRect();
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
