// The gestures in the picture of the surface, by mouse, touch and keys.

/** @typedef {import("../../model/types.js").Point} Point */
/**
 * @typedef {object} Page the parts of the page that the gestures use
 * @property {import("../../model/types.js").Doc} doc
 * @property {import("../../model/types.js").View} view
 * @property {import("../../model/types.js").Preset} preset
 * @property {{pictures: import("./pictures.js").Pictures}} display
 * @property {{settle: () => void}} formula `settle` is called when a gesture ends; undo then treats the next gesture separately
 * @property {(doc: import("../../model/types.js").Doc, tag: string | null) => void} change replaces the document; changes with
 *   the same tag are undone together
 * @property {(point: Point, tag: string | null) => void} movePoint moves the point
 * @property {(dx: number, dy: number) => void} step moves the point by steps
 * @property {(yaw: number, pitch: number) => void} turn turns the camera by two angles
 * @property {(view: import("../../model/types.js").View) => void} look sets the camera's view
 * @property {() => void} move called when the picture begins to move
 * @property {() => void} stay called when the motion ends
 */

import { attachKeys } from "../../gestures/keys.js";
import { attachPointer } from "../../gestures/pointer.js";
import { START_VIEW } from "../../model/camera.js";
import { pick } from "../../model/pick.js";
import { DRAG } from "../../page/formula-journey.js";
import * as docs from "../../model/doc.js";

export const TURN_STEP = Math.PI / 36;
const TURN_PER_PX = 0.008;
const PAN = "pan";

/** The gestures that several pictures share. @param {Page} page */
export function movesOf(page) {
  const settle = () => page.formula.settle();
  return {
    settle,
    zoom: (/** @type {number} */ factor) => page.change(docs.zoom(page.doc, factor), "zoom"),
    release: () => {
      settle();
      page.stay();
    },
    home: () => page.change(docs.placePoint(page.doc, page.preset.doc.point), "home"),
    step: (/** @type {number} */ dx, /** @type {number} */ dy) => page.step(dx, dy),
    pan: (/** @type {number} */ dx, /** @type {number} */ dy) => {
      page.move();
      page.change(docs.pan(page.doc, dx, dy), PAN);
    },
  };
}

/** @param {Page} page @returns {(() => void)[]} functions that remove the listeners */
export function attachHands(page) {
  const { surface } = page.display.pictures;
  const { settle, zoom, release, home, step, pan } = movesOf(page);
  const onSurface = (/** @type {number} */ xPx, /** @type {number} */ yPx, /** @type {Point | null} */ from, /** @type {string | null} */ tag) => {
    const { mesh } = page.display.pictures;
    const point = mesh && pick(mesh, surface.camera(page.view), xPx / surface.scale, yPx / surface.scale, from);
    if (point !== null) page.movePoint(point, tag);
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
  ];
}
