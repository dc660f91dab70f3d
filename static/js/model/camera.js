// Maps the box around the surface to the screen and back. The box is [-1, 1]² × [-HEIGHT, HEIGHT].

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Region} Region */
/** @typedef {{x0: number, y0: number, z0: number, sx: number, sy: number, sz: number}} Box maths to box: (x − x0)·sx − 1 */

import { clamp } from "./numbers.js";

export const HEIGHT = 0.66;
const DISTANCE = 6;
const LOWEST_PITCH = 0.04;
const HIGHEST_PITCH = 1.5;
/** The least distances in box units that the picture shows around the box's centre: REACH_ACROSS to the left and right, and
 * REACH_DOWN up and down. So the box fits at every angle. NUMBERS_PX is the space for the axes' numbers, in pixels. */
const REACH_ACROSS = 1.5;
const REACH_DOWN = 1.38;
const NUMBERS_PX = 26;
/** The least value of sin(pitch) that we use to convert moves on the screen to moves in the box. When the view is almost
 * horizontal, a short move up the screen would otherwise become a very long move away from the viewer. */
const FLATTEST = 0.25;
/** The distance between the top of the picture and the box's centre, as a fraction of the picture's height. The near half of
 * the box looks larger than the far half, so the centre is above the middle of the picture. */
const CENTRE_DOWN = 0.47;

export const START_VIEW = /** @type {View} */ ({ yaw: -0.58, pitch: 0.5 });

/** @param {View} view @returns {View} the nearest view that the picture can show */
export function limitView({ yaw, pitch }) {
  const turn = 2 * Math.PI;
  return { yaw: yaw - turn * Math.round(yaw / turn), pitch: clamp(pitch, LOWEST_PITCH, HIGHEST_PITCH) };
}

/** @param {Region} region @param {readonly [number, number]} rangeZ @returns {Box} */
export function boxOf([x0, x1, y0, y1], [z0, z1]) {
  return { x0, y0, z0, sx: 2 / (x1 - x0), sy: 2 / (y1 - y0), sz: (2 * HEIGHT) / (z1 - z0) };
}

/** @param {Box} box @param {number} x */
export const toBoxX = (box, x) => (x - box.x0) * box.sx - 1;
/** @param {Box} box @param {number} y */
export const toBoxY = (box, y) => (y - box.y0) * box.sy - 1;
/** @param {Box} box @param {number} z */
export const toBoxZ = (box, z) => (z - box.z0) * box.sz - HEIGHT;

/** One view of the box on a canvas of a given size. */
export class Camera {
  /** @param {View} view @param {number} widthPx @param {number} heightPx */
  constructor(view, widthPx, heightPx) {
    this.cosYaw = Math.cos(view.yaw);
    this.sinYaw = Math.sin(view.yaw);
    this.cosPitch = Math.cos(view.pitch);
    this.sinPitch = Math.sin(view.pitch);
    this.scalePx = Math.min((widthPx / 2 - NUMBERS_PX) / REACH_ACROSS, heightPx / 2 / REACH_DOWN);
    this.centreX = widthPx / 2;
    this.centreY = heightPx * CENTRE_DOWN;
    /** The position of the eye, in box units. */
    this.eyeX = -this.sinYaw * this.cosPitch * DISTANCE;
    this.eyeY = -this.cosYaw * this.cosPitch * DISTANCE;
    this.eyeZ = this.sinPitch * DISTANCE;
  }

  /** @param {number} x @param {number} y @param {number} z @returns {[number, number]} pixels */
  project(x, y, z) {
    const across = x * this.cosYaw - y * this.sinYaw;
    const away = x * this.sinYaw + y * this.cosYaw;
    const scale = (this.scalePx * DISTANCE) / (DISTANCE + away * this.cosPitch - z * this.sinPitch);
    return [this.centreX + across * scale, this.centreY - (away * this.sinPitch + z * this.cosPitch) * scale];
  }

  /** Converts a move on the screen to a move in the plane z = 0. Both moves look the same on the screen.
   * @param {number} dxPx @param {number} dyPx @returns {[number, number]} in box units */
  across(dxPx, dyPx) {
    const across = dxPx / this.scalePx;
    const away = -dyPx / (this.scalePx * Math.max(this.sinPitch, FLATTEST));
    return [across * this.cosYaw + away * this.sinYaw, -across * this.sinYaw + away * this.cosYaw];
  }

  /** @param {number} xPx @param {number} yPx
   * @returns {[number, number, number]} direction from the eye through a pixel, in box units */
  ray(xPx, yPx) {
    const across = (xPx - this.centreX) / this.scalePx;
    const up = (this.centreY - yPx) / this.scalePx;
    const away = DISTANCE * this.cosPitch + up * this.sinPitch;
    return [
      across * this.cosYaw + away * this.sinYaw,
      -across * this.sinYaw + away * this.cosYaw,
      -DISTANCE * this.sinPitch + up * this.cosPitch,
    ];
  }
}
