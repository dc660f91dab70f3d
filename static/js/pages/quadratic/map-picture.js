// The canvas of the contour map. The parts that do not change while you drag the point are painted once and kept.

/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("./map-scene.js").MapScene} MapScene */

import { PlotFrame } from "../../model/plot-frame.js";
import { fit } from "../../widgets/canvas-picture.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { paintError, paintFollowing, paintGround } from "./map-scene.js";

export const MAP_MARGINS = { left: 40, right: 12, top: 24, bottom: 38 };
/** If the region's longer side is at most this many times its shorter side, the map uses equal scales for x and y. */
const MOST_STRETCHED = 3;

export class MapPicture extends PlotPicture {
  /** @param {HTMLElement} place with a canvas and the point's handle @param {() => void} onResize */
  constructor(place, onResize) {
    super(place, onResize, MAP_MARGINS);
    this.handle = /** @type {HTMLElement} */ (place.querySelector(".map-point"));
    this.ground = document.createElement("canvas");
    /** The values from which the ground was painted. @type {readonly unknown[]} */
    this.groundOf = [];
  }

  /** @override @param {Region} region @returns {PlotFrame} */
  frameOf(region) {
    return mapFrame(region, this.place.clientWidth / this.scale, this.place.clientHeight / this.scale);
  }

  /** @param {MapScene} scene */
  show(scene) {
    if (this.place.clientWidth === 0) return;
    this.draw(scene.map.region, (pen, frame, inks) => {
      paintError(pen, frame, scene, inks);
      this.ctx.drawImage(this.groundFor(scene, frame), 0, 0, frame.widthPx, frame.heightPx);
      paintFollowing(pen, frame, scene, inks);
      const [x, y] = frame.toPx(scene.point).map((px) => (px * this.scale).toFixed(2));
      this.handle.style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  /** @private @param {MapScene} scene @param {PlotFrame} frame @returns {HTMLCanvasElement} */
  groundFor(scene, frame) {
    const { width, height } = this.canvas;
    const groundOf = [scene.map, scene.error === null, width, height, this.palette, this.scale];
    if (groundOf.some((part, k) => part !== this.groundOf[k])) {
      this.groundOf = groundOf;
      const ctx = /** @type {CanvasRenderingContext2D} */ (this.ground.getContext("2d"));
      fit(this.ground, width, height);
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, width, height);
      ctx.setTransform(width / frame.widthPx, 0, 0, height / frame.heightPx, 0, 0);
      paintGround(ctx, frame, scene, this.palette);
    }
    return this.ground;
  }
}

/** @param {Region} region @param {number} widthPx @param {number} heightPx @param {number} leftPx @returns {PlotFrame} */
export function mapFrame(region, widthPx, heightPx, leftPx = 0) {
  const [x0, x1, y0, y1] = region;
  const { left, right, top, bottom } = MAP_MARGINS;
  const [roomX, roomY] = [widthPx - left - right, heightPx - top - bottom];
  const shape = (x1 - x0) / (y1 - y0);
  const isStretched = shape > MOST_STRETCHED || shape < 1 / MOST_STRETCHED;
  const spareX = isStretched ? 0 : Math.max(0, roomX - roomY * shape);
  const spareY = isStretched ? 0 : Math.max(0, roomY - roomX / shape);
  const margins = { left: left + spareX / 2, right: right + spareX / 2, top: top + spareY / 2, bottom: bottom + spareY / 2 };
  return new PlotFrame(region, widthPx, heightPx, margins, leftPx);
}
