// Caches two pictures: the box, and the box with the surface but without the disc. While only the point moves, a frame copies
// the second picture, and paints the surface again only where the disc is. All pixels are the same as if the frame was painted
// in full.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/patch.js").Patch} Patch */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */
/** The left, top, right and bottom of a rectangle, in pixels of the canvas.
 * @typedef {[number, number, number, number]} Rectangle */

import { paintBox, paintCells, paintInFront, paintScene } from "./scene.js";

const NO_DISC = /** @type {Patch} */ ({ pieces: new Map(), rim: [] });
/** Polygons and lines can extend beyond their corners by this many pixels. */
const REACH_PX = 3;

export class Backdrop {
  constructor() {
    /** What the last frame showed behind the disc. @type {readonly unknown[]} */
    this.key = [];
    /** The cached pictures. `box`: the box alone. `surface`: the box and the surface. Null until a second frame shows the same
     * surface.
     * @type {Record<"box" | "surface", HTMLCanvasElement> | null} */
    this.layers = null;
    /** The rectangle of each cell. @type {Rectangle[]} */
    this.cells = [];
  }

  /** Paints a frame. @param {CanvasRenderingContext2D} ctx of an empty canvas @param {Camera} camera @param {Scene} scene
   * @param {Palette} palette @param {number} ratio the number of pixels of the canvas in a CSS pixel
   * @param {readonly unknown[]} look all values that the camera and the colours depend on */
  paint(ctx, camera, scene, palette, ratio, look) {
    const key = [scene.mesh, scene.region, palette, ratio, ...look];
    const isKnown = key.length === this.key.length && key.every((part, k) => part === this.key[k]);
    if (!isKnown) [this.key, this.layers] = [key, null];
    if (!isKnown || (scene.tops ?? null) !== null) {
      paintScene(ctx, camera, scene, palette);
      return;
    }
    this.layers ??= this.build(ctx, camera, scene, palette, ratio);
    const { box, surface } = this.layers;
    showWhole(surface, ctx);
    const place = discIn(ctx, camera, scene, ratio);
    if (!isEmpty(place)) {
      // Polygons that a clip cuts have other pixels at their edges. So cells are painted whole, and then the surface is restored
      // around the place.
      const isWanted = (/** @type {number} */ k) => meets(this.cells[k], place);
      copy(box, ctx, place);
      paintCells(ctx, camera, scene, palette, isWanted);
      for (const part of ringOf(union(this.cells.filter((_, k) => isWanted(k))), place)) copy(surface, ctx, part);
    }
    paintInFront(ctx, camera, scene, palette);
  }

  /** @private @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette @param {number} ratio */
  build({ canvas: { width, height } }, camera, scene, palette, ratio) {
    this.cells = scene.mesh.cells.map(({ polygon, levels }) => rectangleOf([...polygon, ...levels.flat()], camera, ratio));
    const [box, surface] = [0, 1].map(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const layer = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      layer.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintBox(layer, camera, scene, palette);
      return layer;
    });
    paintCells(surface, camera, { mesh: scene.mesh, patch: NO_DISC }, palette);
    return { box: box.canvas, surface: surface.canvas };
  }
}

/** Copies a layer over the whole picture. In the mode "copy", the browser need not keep any old pixel.
 * @param {HTMLCanvasElement} layer @param {CanvasRenderingContext2D} ctx */
function showWhole(layer, ctx) {
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.globalCompositeOperation = "copy";
  ctx.drawImage(layer, 0, 0);
  ctx.restore();
}

/** Copies a part of a layer to the same place. @param {HTMLCanvasElement} layer @param {CanvasRenderingContext2D} ctx
 * @param {Rectangle} part */
function copy(layer, ctx, [left, top, right, bottom]) {
  const [width, height] = [right - left, bottom - top];
  if (!(width > 0 && height > 0)) return;
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(left, top, width, height);
  ctx.drawImage(layer, left, top, width, height, left, top, width, height);
  ctx.restore();
}

/** @param {readonly Rectangle[]} parts @returns {Rectangle} the smallest rectangle around all parts */
function union(parts) {
  const whole = /** @type {Rectangle} */ ([Infinity, Infinity, -Infinity, -Infinity]);
  for (const [left, top, right, bottom] of parts) {
    whole[0] = Math.min(whole[0], left);
    whole[1] = Math.min(whole[1], top);
    whole[2] = Math.max(whole[2], right);
    whole[3] = Math.max(whole[3], bottom);
  }
  return whole;
}

/** The parts of a rectangle outside another one. @param {Rectangle} whole @param {Rectangle} hole @returns {Rectangle[]} */
function ringOf([left, top, right, bottom], [x0, y0, x1, y1]) {
  return [[left, top, right, y0], [left, y1, right, bottom], [left, y0, x0, y1], [x1, y0, right, y1]];
}

/** @param {Rectangle} part */
function isEmpty([left, top, right, bottom]) {
  return !(left < right && top < bottom);
}

/** Computes the rectangle of the canvas that must be painted again. It contains the disc and all cells that the disc touches.
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
