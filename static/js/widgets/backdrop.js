// Keeps the box and the surface without the disc. While only the point moves, a frame repairs the parts that the last frame covered,
// and paints the surface again only where the disc is. The pixels are the same as those of a frame that is painted in full.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/patch.js").Patch} Patch */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./scene.js").Scene} Scene */
/** A rectangle in the canvas's own pixels: left, top, right, bottom. @typedef {[number, number, number, number]} Rectangle */

import { heightsOf, marksOf } from "./axes.js";
import { arrowOf, paintBox, paintCells, paintInFront, paintScene } from "./scene.js";

const NO_DISC = /** @type {Patch} */ ({ pieces: new Map(), rim: [] });
/** Polygons and lines reach this far beyond their corners, in pixels, and the head of the arrow and the numbers this far. */
const REACH_PX = 3;
const LONG_REACH_PX = 12;

export class Backdrop {
  constructor() {
    /** What the last frame showed behind the disc. @type {readonly unknown[]} */
    this.key = [];
    /** Canvases with the box, and with the box and the surface. Null until a second frame shows the same surface.
     * @type {Record<"box" | "surface", HTMLCanvasElement> | null} */
    this.layers = null;
    /** The rectangle of each cell, and of the numbers of the heights. @type {Rectangle[]} */
    this.cells = [];
    this.heights = /** @type {Rectangle} */ ([0, 0, 0, 0]);
    /** The parts of the canvas where the last frame has other pixels than the box with the surface and the heights' numbers. Null for the
     * whole canvas. @type {Rectangle[] | null} */
    this.covered = null;
  }

  /** Paints a frame over the last one. @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene
   * @param {Palette} palette @param {number} ratio the canvas's pixels in a pixel @param {readonly unknown[]} look all that decides about the
   * camera and the colours */
  paint(ctx, camera, scene, palette, ratio, look) {
    const key = [scene.mesh, scene.region, palette, ratio, ...look];
    const isKnown = key.length === this.key.length && key.every((part, k) => part === this.key[k]);
    if (!isKnown) [this.key, this.layers] = [key, null];
    if (!isKnown || (scene.tops ?? null) !== null) {
      this.covered = null;
      clear(ctx, wholeOf(ctx));
      paintScene(ctx, camera, scene, palette);
      return;
    }
    this.layers ??= this.build(ctx, camera, scene, palette, ratio);
    const { box, surface } = this.layers;
    const place = discIn(ctx, camera, scene, ratio);
    const isWanted = (/** @type {number} */ k) => meets(this.cells[k], place);
    const around = within(ctx, union([place, ...this.cells.filter((_, k) => isWanted(k))]));
    const front = frontOf(ctx, camera, scene, ratio);
    const repaired = this.covered ?? [wholeOf(ctx)];
    const withHeights = [around, ...front, ...repaired].some((part) => meets(this.heights, part));
    for (const part of withHeights ? [...repaired, this.heights] : repaired) copy(surface, ctx, part);
    if (!isEmpty(place)) {
      // Polygons that a clip cuts have other pixels at their edges. So cells are painted whole, and what they cover around the place is
      // repaired.
      copy(box, ctx, place);
      paintCells(ctx, camera, scene, palette, isWanted);
      for (const part of ringOf(around, place)) copy(surface, ctx, part);
    }
    paintInFront(ctx, camera, scene, palette, withHeights);
    this.covered = scene.over === undefined ? [place, ...front] : null;
  }

  /** @private @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette @param {number} ratio */
  build(ctx, camera, scene, palette, ratio) {
    const { width, height } = ctx.canvas;
    this.cells = scene.mesh.cells.map(({ polygon, levels }) => rectangleOf(projected(camera, [...polygon, ...levels.flat()]), ratio));
    const numbers = heightsOf(ctx, camera, scene.mesh, palette).flatMap(({ left, right, y }) => [[left, y], [right, y]]);
    this.heights = within(ctx, rectangleOf(numbers, ratio, LONG_REACH_PX));
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

/** Makes a part of a canvas transparent. @param {CanvasRenderingContext2D} ctx @param {Rectangle} part */
function clear(ctx, [left, top, right, bottom]) {
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(left, top, right - left, bottom - top);
  ctx.restore();
}

/** Copies a part of a layer to the same place. @param {HTMLCanvasElement} layer @param {CanvasRenderingContext2D} ctx
 * @param {Rectangle} part */
function copy(layer, ctx, part) {
  if (isEmpty(part)) return;
  const [left, top, right, bottom] = part;
  const [width, height] = [right - left, bottom - top];
  clear(ctx, part);
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.drawImage(layer, left, top, width, height, left, top, width, height);
  ctx.restore();
}

/** The part of a canvas to paint again: the disc, and all cells under it. These cells belong to it because a cell under the disc
 * is painted without its lines.
 * @param {CanvasRenderingContext2D} ctx @param {Camera} camera @param {Scene} scene @param {number} ratio @returns {Rectangle} */
function discIn(ctx, camera, { mesh, patch: { pieces } }, ratio) {
  const polygons = [...pieces].flatMap(([k, { below, touching, above }]) => [mesh.cells[k].polygon, below, touching, above]);
  return within(ctx, rectangleOf(projected(camera, polygons.flat()), ratio));
}

/** @param {Camera} camera @param {readonly (readonly number[])[]} vertices */
function projected(camera, vertices) {
  return vertices.map(([x, y, z]) => camera.project(x, y, z));
}

/** The places of the marks on the axes, the disc's rim and the arrow. @param {CanvasRenderingContext2D} ctx
 * @param {Camera} camera @param {Scene} scene @param {number} ratio @returns {Rectangle[]} */
function frontOf(ctx, camera, scene, ratio) {
  const { mesh, point, patch } = scene;
  const rim = patch.rim.flatMap((at) => (at === null ? [] : [camera.project(at.x, at.y, at.z)]));
  const arrow = arrowOf(camera, scene);
  return [
    ...marksOf(camera, mesh, point).map((ends) => rectangleOf(ends, ratio)),
    rectangleOf(rim, ratio),
    rectangleOf(arrow === null ? [] : [arrow.from, arrow.to], ratio, LONG_REACH_PX),
  ].map((part) => within(ctx, part)).filter((part) => !isEmpty(part));
}

/** @param {readonly (readonly number[])[]} points in pixels @param {number} ratio
 * @param {number} reachPx @returns {Rectangle} with whole numbers */
function rectangleOf(points, ratio, reachPx = REACH_PX) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    if (x < left) left = x;
    if (y < top) top = y;
    if (x > right) right = x;
    if (y > bottom) bottom = y;
  }
  const before = (/** @type {number} */ px) => Math.floor((px - reachPx) * ratio);
  const after = (/** @type {number} */ px) => Math.ceil((px + reachPx) * ratio);
  return [before(left), before(top), after(right), after(bottom)];
}

/** @param {readonly Rectangle[]} parts @returns {Rectangle} */
function union(parts) {
  const side = (/** @type {number} */ k, /** @type {number} */ sign) => parts.reduce((most, part) => Math.max(most, sign * part[k]), -Infinity) * sign;
  return [side(0, -1), side(1, -1), side(2, 1), side(3, 1)];
}

/** The parts of a rectangle outside another one in it. @param {Rectangle} whole @param {Rectangle} hole @returns {Rectangle[]} */
function ringOf([left, top, right, bottom], [x0, y0, x1, y1]) {
  return [[left, top, right, y0], [left, y1, right, bottom], [left, y0, x0, y1], [x1, y0, right, y1]];
}

/** @param {CanvasRenderingContext2D} ctx @returns {Rectangle} */
function wholeOf({ canvas }) {
  return [0, 0, canvas.width, canvas.height];
}

/** The part of a rectangle that lies in a canvas. @param {CanvasRenderingContext2D} ctx @param {Rectangle} part @returns {Rectangle} */
function within({ canvas }, [left, top, right, bottom]) {
  return [Math.max(left, 0), Math.max(top, 0), Math.min(right, canvas.width), Math.min(bottom, canvas.height)];
}

/** @param {Rectangle} part */
function isEmpty([left, top, right, bottom]) {
  return !(left < right && top < bottom);
}

/** @param {Rectangle} one @param {Rectangle} other */
function meets(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}
