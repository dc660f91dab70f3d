// A canvas that shows a scene measured in metres, and exports the same picture as a file.

/** @typedef {import("./palette.js").Inks} Inks */
/** @typedef {import("./svg-pen.js").Pen} Pen */
/** @template S @typedef {(pen: Pen, frame: TableFrame, scene: S, inks: Inks) => void} Paint */

import { TableFrame } from "../model/metre-frame.js";
import { readInks } from "./palette.js";

const EXPORT_RATIO = 2;

/** @template S */
export class CanvasPicture {
  /** @param {HTMLElement} place an element that contains a canvas @param {Paint<S>} paint a function that paints a scene
   * @param {readonly number[]} area the visible area in metres: x from, x to, y from, y to
   * @param {readonly [number, number]} exportSize the width and height of an exported picture, in pixels
   * @param {() => void} onResize called when the size of the element has changed */
  constructor(place, paint, area, exportSize, onResize) {
    this.place = place;
    this.paint = paint;
    this.exportSize = exportSize;
    this.canvas = /** @type {HTMLCanvasElement} */ (place.querySelector("canvas"));
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.palette = readInks(place);
    /** The visible area in metres: x from, x to, y from, y to. */
    this.area = area;
    this.frame = this.measure();
    this.observer = new ResizeObserver(() => {
      this.frame = this.measure();
      onResize();
    });
    this.observer.observe(place);
  }

  /** @param {readonly number[]} area in metres */
  look(area) {
    if (area.every((value, k) => value === this.area[k])) return;
    this.area = area;
    this.frame = this.measure();
  }

  /** Reads the colours again after the theme has changed. */
  repalette() {
    this.palette = readInks(this.place);
  }

  /** @private */
  measure() {
    return new TableFrame(this.area, this.place.clientWidth, this.place.clientHeight);
  }

  /** @param {S} scene */
  draw(scene) {
    const { ctx, canvas, frame } = this;
    const ratio = window.devicePixelRatio || 1;
    fit(canvas, frame.widthPx * ratio, frame.heightPx * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, frame.widthPx, frame.heightPx);
    this.paint(ctx, frame, scene, this.palette);
  }

  /** @param {S} scene @returns {Promise<string>} */
  async svg(scene) {
    const { SvgPen } = await import("./svg-pen.js");
    const pen = new SvgPen();
    this.paintExport(pen, scene);
    return pen.text(...this.exportSize);
  }

  /** @param {S} scene @returns {Promise<Blob>} */
  png(scene) {
    const canvas = document.createElement("canvas");
    const [width, height] = this.exportSize;
    fit(canvas, width * EXPORT_RATIO, height * EXPORT_RATIO);
    const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.scale(EXPORT_RATIO, EXPORT_RATIO);
    this.paintExport(ctx, scene);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("No picture was made.")) : resolve(blob)));
    });
  }

  /** @private @param {Pen} pen @param {S} scene */
  paintExport(pen, scene) {
    const [width, height] = this.exportSize;
    pen.fillStyle = this.palette.paper;
    pen.fillRect(0, 0, width, height);
    this.paint(pen, new TableFrame(this.area, width, height), scene, this.palette);
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** Sets the size of a canvas. Does nothing if the canvas already has this size, because setting a size clears the canvas.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function fit(canvas, width, height) {
  const [w, h] = [Math.round(width), Math.round(height)];
  if (canvas.width === w && canvas.height === h) return;
  canvas.width = w;
  canvas.height = h;
}
