// The frame that holds the surface's canvas and the point's handle.

/** @typedef {import("../model/types.js").View} View */
/** @typedef {import("./scene.js").Scene} Scene */
/** A function that paints a frame, such as `paintScene` or `Backdrop.paint`.
 * @typedef {(ctx: CanvasRenderingContext2D, camera: Camera, scene: Scene, palette: import("./palette.js").Palette, ratio: number,
 *   look: readonly unknown[]) => void} Paint */

import { Camera, HEIGHT, toBoxX, toBoxY, toBoxZ } from "../model/camera.js";
import { clamp } from "../model/numbers.js";
import { isHidden } from "../model/pick.js";
import { readPalette } from "./palette.js";
import { paintScene } from "./scene.js";

/** Room below the box for the numbers. */
const NUMBERS_PX = 20;

/** @param {HTMLElement} element @param {string} label that assistive technology speaks */
export function setLabel(element, label) {
  if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
}

export class Picture {
  /** @param {HTMLElement} frame with a canvas and a handle in it @param {() => void} onResize
   * @param {Paint} paint */
  constructor(frame, onResize, paint = paintScene) {
    this.frame = frame;
    this.canvas = /** @type {HTMLCanvasElement} */ (frame.querySelector("canvas"));
    this.handle = /** @type {HTMLElement} */ (frame.querySelector(".handle"));
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.paint = paint;
    /** The scale of everything in the picture. The usual scale is 1. */
    this.scale = 1;
    this.widthPx = frame.clientWidth;
    this.heightPx = frame.clientHeight;
    this.palette = readPalette(frame);
    this.observer = new ResizeObserver(() => {
      this.measure();
      onResize();
    });
    this.observer.observe(frame);
  }

  /** Reads the size of the frame again. */
  measure() {
    this.widthPx = this.frame.clientWidth / this.scale;
    this.heightPx = this.frame.clientHeight / this.scale;
  }

  /** Reads the colours again after the theme has changed. */
  repalette() {
    this.palette = readPalette(this.frame);
  }

  /** @param {View} view @returns {Camera} */
  camera(view) {
    return new Camera(view, this.widthPx, this.heightPx - NUMBERS_PX);
  }

  /** @param {Scene} scene @param {View} view */
  draw(scene, view) {
    const { ctx, canvas } = this;
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    const width = Math.round(this.widthPx * ratio);
    const height = Math.round(this.heightPx * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, this.widthPx, this.heightPx);
    const camera = this.camera(view);
    this.paint(ctx, camera, scene, this.palette, ratio, [view, width, height]);
    this.placeHandle(scene, camera);
  }

  /** @param {string} surface @param {string} point their labels for assistive technology */
  label(surface, point) {
    setLabel(this.canvas, surface);
    setLabel(this.handle, point);
  }

  /** @private @param {Scene} scene @param {Camera} camera */
  placeHandle({ mesh, jet, point }, camera) {
    const x = toBoxX(mesh.box, point[0]);
    const y = toBoxY(mesh.box, point[1]);
    const height = toBoxZ(mesh.box, jet.f);
    const z = Number.isNaN(height) ? -HEIGHT : clamp(height, -HEIGHT, HEIGHT);
    const [xPx, yPx] = camera.project(x, y, z).map((px) => px * this.scale);
    this.handle.style.transform = `translate(${xPx.toFixed(2)}px, ${yPx.toFixed(2)}px)`;
    this.handle.classList.toggle("is-behind", z !== height || isHidden(mesh, camera, x, y, z));
  }

  destroy() {
    this.observer.disconnect();
  }
}
