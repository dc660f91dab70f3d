// Keeps the box and the surface without the disc. While only the point moves, a frame copies them and paints the surface again
// only where the disc is. The pixels are the same as those of a frame that is painted in full.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/patch.js").Patch} Patch */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */
/** A rectangle in the canvas's own pixels: left, top, right, bottom. @typedef {[number, number, number, number]} Rectangle */

import { paintBox, paintCells, paintInFront, paintScene } from "./scene.js";

const NO_DISC = /** @type {Patch} */ ({ pieces: new Map(), rim: [] });
/** Polygons and lines reach this far beyond their corners, in pixels. */
const REACH_PX = 3;

export class Backdrop {
  constructor() {
    /** What the last frame showed behind the disc. @type {readonly unknown[]} */
    this.key = [];
    /** Canvases with the box, with the box and the surface, and with the cells near the disc. Null until a second frame shows the
     * same surface.
     * @type {Record<"box" | "surface" | "near", CanvasRenderingContext2D> | null} */
    this.layers = null;
    /** The rectangle of each cell. @type {Rectangle[]} */
    this.cells = [];
  }

  /** Paints a frame. @param {CanvasRenderingContext2D} ctx of an empty canvas @param {Camera} camera @param {Scene} scene
   * @param {Palette} palette @param {number} ratio the canvas's pixels in a pixel @param {readonly unknown[]} look all that decides about the
   * camera and the colours */
  paint(ctx, camera, scene, palette, ratio, look) {
    const key = [scene.mesh, scene.region, palette, ratio, ...look];
    const isKnown = key.length === this.key.length && key.every((part, k) => part === this.key[k]);
    if (!isKnown) [this.key, this.layers] = [key, null];
    if (!isKnown || (scene.tops ?? null) !== null) {
      paintScene(ctx, camera, scene, palette);
      return;
    }
    this.layers ??= this.build(ctx, camera, scene, palette, ratio);
    const { box, surface, near } = this.layers;
    copy(surface.canvas, ctx, [0, 0, ctx.canvas.width, ctx.canvas.height]);
    const place = discIn(ctx, camera, scene, ratio);
    if (place[0] < place[2] && place[1] < place[3]) {
      // Polygons that a clip cuts have other pixels at their edges. So cells are painted whole, in a canvas of their own.
      copy(box.canvas, near, place);
      paintCells(near, camera, scene, palette, (k) => meets(this.cells[k], place));
      copy(near.canvas, ctx, place);
    }
    paintInFront(ctx, camera, scene, palette);
  }

  /** @private @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette @param {number} ratio */
  build({ canvas: { width, height } }, camera, scene, palette, ratio) {
    this.cells = scene.mesh.cells.map(({ polygon, levels }) => rectangleOf([...polygon, ...levels.flat()], camera, ratio));
    const [box, surface, near] = [0, 1, 2].map(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const layer = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      layer.setTransform(ratio, 0, 0, ratio, 0, 0);
      return layer;
    });
    for (const layer of [box, surface]) paintBox(layer, camera, scene, palette);
    paintCells(surface, camera, { mesh: scene.mesh, patch: NO_DISC }, palette);
    return { box, surface, near };
  }
}

/** Copies a part of a layer to the same place. @param {HTMLCanvasElement} layer @param {CanvasRenderingContext2D} ctx
 * @param {Rectangle} part */
function copy(layer, ctx, [left, top, right, bottom]) {
  const [width, height] = [right - left, bottom - top];
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(left, top, width, height);
  ctx.drawImage(layer, left, top, width, height, left, top, width, height);
  ctx.restore();
}

/** The part of a canvas to paint again: the disc, and all cells under it. These cells belong to it because a cell under the disc
 * is painted without its lines.
 * @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene @param {number} ratio @returns {Rectangle} */
function discIn({ canvas }, camera, { mesh, patch: { pieces } }, ratio) {
  const polygons = [...pieces].flatMap(([k, { below, touching, above }]) => [mesh.cells[k].polygon, below, touching, above]);
  const [left, top, right, bottom] = rectangleOf(polygons.flat(), camera, ratio);
  return [Math.max(left, 0), Math.max(top, 0), Math.min(right, canvas.width), Math.min(bottom, canvas.height)];
}

/** @param {readonly (readonly number[])[]} vertices @param {Camera} camera @param {number} ratio @returns {Rectangle} with whole numbers */
function rectangleOf(vertices, camera, ratio) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y, z] of vertices) {
    const [xPx, yPx] = camera.project(x, y, z);
    [left, top, right, bottom] = [Math.min(left, xPx), Math.min(top, yPx), Math.max(right, xPx), Math.max(bottom, yPx)];
  }
  const before = (/** @type {number} */ px) => Math.floor((px - REACH_PX) * ratio);
  const after = (/** @type {number} */ px) => Math.ceil((px + REACH_PX) * ratio);
  return [before(left), before(top), after(right), after(bottom)];
}

/** @param {Rectangle} one @param {Rectangle} other */
function meets(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}
