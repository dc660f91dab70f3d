// The canvas of the table, its frame, and the same picture as a file.

/** @typedef {import("../model/types.js").Beginning} Beginning */
/** @typedef {import("./table-scene.js").TableScene} TableScene */

import { TableFrame } from "../model/table-frame.js";
import { SvgPen } from "./svg-pen.js";
import { paintTable, readTablePalette } from "./table-scene.js";

const EXPORT_WIDTH = 1168;
const EXPORT_HEIGHT = 800;
const EXPORT_RATIO = 2;

export class TablePicture {
  /** @param {HTMLElement} place @param {Beginning} beginning @param {() => void} onResize */
  constructor(place, beginning, onResize) {
    this.place = place;
    this.beginning = beginning;
    this.canvas = /** @type {HTMLCanvasElement} */ (place.querySelector("canvas"));
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.palette = readTablePalette(place);
    this.frame = this.measure();
    this.observer = new ResizeObserver(() => {
      this.frame = this.measure();
      onResize();
    });
    this.observer.observe(place);
  }

  /** Reads the colours again after the theme has changed. */
  repalette() {
    this.palette = readTablePalette(this.place);
  }

  /** @private */
  measure() {
    return new TableFrame(this.beginning.cushions, this.place.clientWidth, this.place.clientHeight);
  }

  /** @param {TableScene} scene */
  draw(scene) {
    const { ctx, canvas, frame } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(frame.widthPx * ratio);
    const height = Math.round(frame.heightPx * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, frame.widthPx, frame.heightPx);
    paintTable(ctx, frame, scene, this.palette, this.beginning);
  }

  /** @param {TableScene} scene @returns {string} */
  svg(scene) {
    const pen = new SvgPen();
    pen.fillStyle = this.palette.paper;
    pen.fillRect(0, 0, EXPORT_WIDTH, EXPORT_HEIGHT);
    paintTable(pen, this.exportFrame(), scene, this.palette, this.beginning);
    return pen.text(EXPORT_WIDTH, EXPORT_HEIGHT);
  }

  /** @param {TableScene} scene @returns {Promise<Blob>} */
  png(scene) {
    const canvas = document.createElement("canvas");
    canvas.width = EXPORT_WIDTH * EXPORT_RATIO;
    canvas.height = EXPORT_HEIGHT * EXPORT_RATIO;
    const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.scale(EXPORT_RATIO, EXPORT_RATIO);
    ctx.fillStyle = this.palette.paper;
    ctx.fillRect(0, 0, EXPORT_WIDTH, EXPORT_HEIGHT);
    paintTable(ctx, this.exportFrame(), scene, this.palette, this.beginning);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("No picture was made.")) : resolve(blob)));
    });
  }

  /** @private */
  exportFrame() {
    return new TableFrame(this.beginning.cushions, EXPORT_WIDTH, EXPORT_HEIGHT);
  }

  destroy() {
    this.observer.disconnect();
  }
}
