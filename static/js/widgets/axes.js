// The box around the surface: floor, back walls, and ticks with numbers on the edges that face the reader.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Region} Region */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./svg-pen.js").Pen} Pen */
/** @typedef {[number, number, number]} Corner */

import { HEIGHT, toBoxX, toBoxY, toBoxZ } from "../model/camera.js";
import { format, ticks } from "../model/numbers.js";

const FONT_PX = 12;
const SMALL_FONT_PX = 10.5;
/** If half a side of the box is shorter than this, the axes have fewer and smaller numbers. */
const SMALL_BOX_PX = 122;
/** A side of a large box has about MANY numbers, and a side of a small box about FEW. */
const MANY = 6;
const FEW = 4;
/** Distances from an edge of the box. The unit is half a side of the box. TICK_REACH: to the end of a tick. NUMBER_REACH: to a
 * number. NAME_REACH: to the name of an axis. SMALL_NAME_REACH: to the name of an axis of a small box. */
const TICK_REACH = 0.035;
const NUMBER_REACH = 0.13;
const NAME_REACH = 0.27;
const SMALL_NAME_REACH = 0.38;
/** Lengths in pixels. BESIDE_PX: the distance from the box to the numbers of the height axis. HALO_PX: the width of the line
 * that is drawn around a number in the background's colour. */
const BESIDE_PX = 7;
const HALO_PX = 4;

/**
 * @param {Pen} ctx @param {Camera} camera @param {Mesh} mesh @param {Region} region
 * @param {Palette} palette
 */
export function paintAxes(ctx, camera, mesh, region, palette) {
  const [x0, x1, y0, y1] = region;
  const isSmall = camera.scalePx < SMALL_BOX_PX;
  const wanted = isSmall ? FEW : MANY;
  const { box } = mesh;
  const xs = ticks(x0, x1, wanted).map((x) => ({ at: toBoxX(box, x), text: format(x) }));
  const ys = ticks(y0, y1, wanted).map((y) => ({ at: toBoxY(box, y), text: format(y) }));
  const zs = heightsOf(camera, mesh);
  const near = nearSides(camera);
  const line = (/** @type {Corner} */ from, /** @type {Corner} */ to) => {
    ctx.moveTo(...camera.project(...from));
    ctx.lineTo(...camera.project(...to));
  };

  ctx.lineWidth = 1;
  ctx.lineCap = "butt";
  ctx.strokeStyle = palette.axis;
  ctx.beginPath();
  for (const { at } of xs) {
    line([at, -1, -HEIGHT], [at, 1, -HEIGHT]);
    line([at, -near.y, -HEIGHT], [at, -near.y, HEIGHT]);
  }
  for (const { at } of ys) {
    line([-1, at, -HEIGHT], [1, at, -HEIGHT]);
    line([-near.x, at, -HEIGHT], [-near.x, at, HEIGHT]);
  }
  for (const { at } of zs) {
    line([-1, -near.y, at], [1, -near.y, at]);
    line([-near.x, -1, at], [-near.x, 1, at]);
  }
  for (const z of [-HEIGHT, HEIGHT]) {
    line([-1, -near.y, z], [1, -near.y, z]);
    line([-near.x, -1, z], [-near.x, 1, z]);
  }
  line([-1, near.y, -HEIGHT], [1, near.y, -HEIGHT]);
  line([near.x, -1, -HEIGHT], [near.x, 1, -HEIGHT]);
  for (const [x, y] of [[-near.x, -near.y], [near.x, -near.y], [-near.x, near.y]]) line([x, y, -HEIGHT], [x, y, HEIGHT]);
  ctx.stroke();

  setFont(ctx, camera, palette);
  ctx.textAlign = "center";
  const write = (/** @type {string} */ text, /** @type {Corner} */ at) => ctx.fillText(text, ...camera.project(...at));
  for (const { at, text } of xs) if (Math.abs(at) < 0.97) write(text, [at, near.y * (1 + NUMBER_REACH), -HEIGHT]);
  for (const { at, text } of ys) if (Math.abs(at) < 0.97) write(text, [near.x * (1 + NUMBER_REACH), at, -HEIGHT]);
  const nameAt = 1 + (isSmall ? SMALL_NAME_REACH : NAME_REACH);
  ctx.font = `italic ${FONT_PX + 3}px ${palette.font}`;
  ctx.textAlign = "center";
  write("x", [0, near.y * nameAt, -HEIGHT]);
  write("y", [near.x * nameAt, 0, -HEIGHT]);
}

/** @param {Pen} ctx @param {Camera} camera @param {Palette} palette */
function setFont(ctx, camera, palette) {
  ctx.fillStyle = palette.label;
  ctx.font = `${camera.scalePx < SMALL_BOX_PX ? SMALL_FONT_PX : FONT_PX}px ${palette.font}`;
  ctx.textBaseline = "middle";
}

/** @param {Camera} camera @param {Mesh} mesh @returns {{at: number, text: string}[]} */
function heightsOf(camera, { box, rangeZ }) {
  const wanted = (camera.scalePx < SMALL_BOX_PX ? FEW : MANY) - 1;
  return ticks(rangeZ[0], rangeZ[1], wanted).map((z) => ({ at: toBoxZ(box, z), text: format(z) }));
}

/** Paints the numbers of the height axis. Call this after the surface has been painted, because long numbers extend into the
 * box.
 * @param {Pen} ctx @param {Camera} camera @param {Mesh} mesh @param {Palette} palette */
export function paintHeights(ctx, camera, mesh, palette) {
  const near = nearSides(camera);
  const edges = /** @type {[number, number][]} */ ([[near.x, -near.y], [-near.x, near.y]]);
  const [left] = edges.sort((a, b) => camera.project(a[0], a[1], 0)[0] - camera.project(b[0], b[1], 0)[0]);
  setFont(ctx, camera, palette);
  ctx.textAlign = "right";
  ctx.lineJoin = "round";
  ctx.strokeStyle = palette.paper;
  ctx.lineWidth = HALO_PX;
  for (const { at, text } of heightsOf(camera, mesh)) {
    const [x, y] = camera.project(left[0], left[1], at);
    // A long number moves right so that it stays in the picture.
    const right = Math.max(x - BESIDE_PX, ctx.measureText(text).width + HALO_PX);
    if (right > x - BESIDE_PX) ctx.strokeText(text, right, y);
    ctx.fillText(text, right, y);
  }
  const [x, y] = camera.project(left[0], left[1], HEIGHT);
  ctx.font = ctx.font.replace(/^/, "italic ");
  ctx.fillText("z", x - BESIDE_PX, y - 14);
}

/** Marks the point's x and y on the axes.
 * @param {Pen} ctx @param {Camera} camera @param {Mesh} mesh @param {Point} point
 * @param {Palette} palette */
export function paintMarks(ctx, camera, mesh, point, palette) {
  const near = nearSides(camera);
  const x = toBoxX(mesh.box, point[0]);
  const y = toBoxY(mesh.box, point[1]);
  ctx.strokeStyle = palette.rose;
  ctx.lineWidth = 2;
  ctx.lineCap = "butt";
  ctx.beginPath();
  ctx.moveTo(...camera.project(x, near.y, -HEIGHT));
  ctx.lineTo(...camera.project(x, near.y * (1 + TICK_REACH * 1.6), -HEIGHT));
  ctx.moveTo(...camera.project(near.x, y, -HEIGHT));
  ctx.lineTo(...camera.project(near.x * (1 + TICK_REACH * 1.6), y, -HEIGHT));
  ctx.stroke();
}

/** @param {Camera} camera @returns {{x: number, y: number}} the sides of the box towards the eye, −1 or 1 */
function nearSides(camera) {
  return { x: camera.eyeX < 0 ? -1 : 1, y: camera.eyeY < 0 ? -1 : 1 };
}
