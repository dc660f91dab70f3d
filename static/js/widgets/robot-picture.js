// The canvas of the robot, its frame, and the same picture as a file.

/** @typedef {import("./robot-scene.js").RobotScene} RobotScene */

import { TableFrame } from "../model/table-frame.js";
import { SvgPen } from "./svg-pen.js";
import { paintRobot, readRobotPalette } from "./robot-scene.js";

const EXPORT_WIDTH = 1200;
const EXPORT_HEIGHT = 600;
const EXPORT_RATIO = 2;

export class RobotPicture {
  /** @param {HTMLElement} place @param {number} ground @param {() => void} onResize */
  constructor(place, ground, onResize) {
    this.place = place;
    this.ground = ground;
    this.canvas = /** @type {HTMLCanvasElement} */ (place.querySelector("canvas"));
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.palette = readRobotPalette(place);
    /** What is to be seen: x from, x to, y from, y to. @type {readonly number[]} */
    this.area = [0, 1, 0, 0.5];
    this.frame = this.measure();
    this.observer = new ResizeObserver(() => {
      this.frame = this.measure();
      onResize();
    });
    this.observer.observe(place);
  }

  /** @param {readonly number[]} area in metres */
  show(area) {
    if (area.every((value, k) => value === this.area[k])) return;
    this.area = area;
    this.frame = this.measure();
  }

  /** Reads the colours again after the theme has changed. */
  repalette() {
    this.palette = readRobotPalette(this.place);
  }

  /** @private */
  measure() {
    return new TableFrame(this.area, this.place.clientWidth, this.place.clientHeight);
  }

  /** @param {RobotScene} scene */
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
    paintRobot(ctx, frame, scene, this.palette, this.ground);
  }

  /** @param {RobotScene} scene @returns {string} */
  svg(scene) {
    const pen = new SvgPen();
    pen.fillStyle = this.palette.paper;
    pen.fillRect(0, 0, EXPORT_WIDTH, EXPORT_HEIGHT);
    paintRobot(pen, this.exportFrame(), scene, this.palette, this.ground);
    return pen.text(EXPORT_WIDTH, EXPORT_HEIGHT);
  }

  /** @param {RobotScene} scene @returns {Promise<Blob>} */
  png(scene) {
    const canvas = document.createElement("canvas");
    canvas.width = EXPORT_WIDTH * EXPORT_RATIO;
    canvas.height = EXPORT_HEIGHT * EXPORT_RATIO;
    const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.scale(EXPORT_RATIO, EXPORT_RATIO);
    ctx.fillStyle = this.palette.paper;
    ctx.fillRect(0, 0, EXPORT_WIDTH, EXPORT_HEIGHT);
    paintRobot(ctx, this.exportFrame(), scene, this.palette, this.ground);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("No picture was made.")) : resolve(blob)));
    });
  }

  /** @private */
  exportFrame() {
    return new TableFrame(this.area, EXPORT_WIDTH, EXPORT_HEIGHT);
  }

  destroy() {
    this.observer.disconnect();
  }
}
