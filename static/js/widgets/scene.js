// Paints one frame: first the box, then the surface, then the disc's rim, and then the gradient's arrow. The disc shows the
// quadratic approximation near the point (model/patch.js). The surface is painted cell by cell, from back to front. Each cell
// is painted together with the piece of the disc in this cell. The rim is thinner where the surface hides it.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/mesh.js").Vertex} Vertex */
/** @typedef {import("../model/patch.js").Patch} Patch */
/** @typedef {import("../model/types.js").Jet} Jet */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Region} Region */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./svg-pen.js").Pen} Pen */
/** A surface with its quadratic approximation. `over`: a function that paints marks on the surface. `tops`: a function that
 * takes a palette and returns a function. The returned function takes a cell's position and returns the cell's colours, or null
 * if the cell has the surface's usual colours.
 * @typedef {{mesh: Mesh, patch: Patch, jet: Jet, point: Point, region: Region,
 *   over?: (pen: Pen, camera: Camera, palette: Palette) => void,
 *   tops?: ((palette: Palette) => (i: number, j: number) => readonly string[] | null) | null}} Scene */

import { toBoxX, toBoxY, toBoxZ } from "../model/camera.js";
import { isHidden } from "../model/pick.js";
import { paintAxes, paintHeights, paintMarks } from "./axes.js";
import { shade } from "./palette.js";

/** The surface shows a line at every LINE_EVERY-th cell in each direction. If the surface has at most FEW_CELLS cells in each
 * direction, it shows twice as many lines. */
const LINE_EVERY = 6;
const FEW_CELLS = 30;
/** Neighbouring polygons overlap by this many pixels. Without the overlap, the background would be visible between them. */
const OVERLAP_PX = 0.45;
/** The direction to the light, seen from the camera. The light comes from over the viewer's left shoulder. */
const LIGHT = { across: -0.5, away: -0.28, up: 0.82 };
const AMBIENT = 0.12;
/** The sizes of the gradient's arrow. `length`: the limit of the arrow's length for steep slopes, in units of the box. `half`:
 * the slope in the box for which the arrow has half of this length. `headPx`: the usual length of the arrow's head.
 * `shortestPx`: a shorter arrow is not painted. */
const ARROW = { length: 0.8, half: 0.22, headPx: 11, shortestPx: 5 };
const HIDDEN_ALPHA = 0.35;

/** @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
export function paintScene(ctx, camera, scene, palette) {
  paintBox(ctx, camera, scene, palette);
  paintCells(ctx, camera, scene, palette);
  paintInFront(ctx, camera, scene, palette);
}

/** Paints the box behind the surface. @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
export function paintBox(ctx, camera, { mesh, region }, palette) {
  paintAxes(ctx, camera, mesh, region, palette);
}

/** Paints everything in front of the surface. @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
export function paintInFront(ctx, camera, scene, palette) {
  paintMarks(ctx, camera, scene.mesh, scene.point, palette);
  paintHeights(ctx, camera, scene.mesh, palette);
  scene.over?.(ctx, camera, palette);
  paintRim(ctx, camera, scene, palette);
  paintArrow(ctx, camera, scene, palette);
}

/** Paints the surface without the box and its numbers.
 * @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
export function paintSurface(ctx, camera, scene, palette) {
  paintCells(ctx, camera, scene, palette);
  paintRim(ctx, camera, scene, palette);
  paintArrow(ctx, camera, scene, palette);
}

/** Paints cells of the surface, together with the pieces of the disc.
 * @param {Pen} ctx @param {Camera} camera @param {Pick<Scene, "mesh" | "patch" | "tops">} scene @param {Palette} palette
 * @param {(cell: number) => boolean} isWanted called for each cell without a piece of the disc. Returns whether to paint it */
export function paintCells(ctx, camera, { mesh, patch, tops }, palette, isWanted = () => true) {
  ctx.lineJoin = "round";
  ctx.lineCap = "butt";
  const light = lightOf(camera);
  const { n } = mesh;
  const topOf = tops?.(palette);
  /** The cells under the disc that are already painted. The value is true if we see the cell from above.
   * @type {Map<number, boolean>} */
  const painted = new Map();
  const columns = fromBack(camera.eyeX, n);
  for (const j of fromBack(camera.eyeY, n)) {
    for (const i of columns) {
      const k = j * n + i;
      const piece = patch.pieces.get(k);
      if (piece === undefined && !isWanted(k)) continue;
      const top = topOf?.(i, j) ?? null;
      const fromAbove = paintCell(ctx, camera, mesh, patch, i, j, light, top === null ? palette : { ...palette, surface: top, underside: top });
      if (piece === undefined) continue;
      painted.set(k, fromAbove);
      const isNear = !isSame(piece) && (piece.touching.length > 0 || isHiddenIn(piece, fromAbove));
      // The polygon of this cell overlaps the neighbouring cells. So it has painted over a strip of the disc in the neighbours
      // that were painted earlier. If this cell's piece of the disc lies wholly in front of the surface, this piece covers the
      // strip. Otherwise paint the disc in those neighbours again.
      for (const behind of isNear ? [k - 1, k + 1, k - n, k + n] : []) {
        const before = patch.pieces.get(behind);
        if (before !== undefined && painted.get(behind) === fromAbove) paintFront(ctx, camera, before, fromAbove, light, palette);
      }
    }
  }
}

/** @param {Camera} camera @returns {readonly [number, number, number]} */
function lightOf(camera) {
  const { across, away, up } = LIGHT;
  return [across * camera.cosYaw + away * camera.sinYaw, -across * camera.sinYaw + away * camera.cosYaw, up];
}

/** @param {number} eye @param {number} n @returns {number[]} cells along one side, nearest to the eye last */
function fromBack(eye, n) {
  const split = Math.max(0, Math.min(n, Math.round(((eye + 1) * n) / 2)));
  return [...Array(split).keys(), ...Array.from({ length: n - split }, (_, k) => n - 1 - k)];
}

/**
 * Paints a cell of the surface and the piece of the disc in this cell.
 * @param {Pen} ctx @param {Camera} camera @param {Mesh} mesh @param {Patch} patch
 * @param {number} i @param {number} j @param {readonly [number, number, number]} light @param {Palette} palette
 * @returns {boolean} whether the cell is seen from above
 */
function paintCell(ctx, camera, mesh, patch, i, j, light, palette) {
  const k = j * mesh.n + i;
  const cell = mesh.cells[k];
  const piece = patch.pieces.get(k);
  const corners = cell.polygon.map((vertex) => camera.project(vertex[0], vertex[1], vertex[2]));
  const fromAbove = corners.length < 3 || isFromAbove(corners);
  if (piece !== undefined) {
    paintPiece(ctx, camera, fromAbove ? piece.below : piece.above, piece.normal, light, palette);
  }
  if (corners.length >= 3 && !(piece !== undefined && isSame(piece))) {
    const lit = litness(cell.normal, light, fromAbove);
    ctx.fillStyle = shade(fromAbove ? palette.surface : palette.underside, AMBIENT + (1 - AMBIENT) * lit);
    fill(ctx, corners);
    // Paint no lines in a cell that the disc covers wholly. The disc would hide most of these lines. But lines on the cell's
    // edges would be visible on top of the disc in the neighbouring cells.
    const isCovered = piece?.isWhole === true && !isHiddenIn(piece, fromAbove);
    if (!isCovered) paintLines(ctx, camera, mesh.n, i, j, cell, corners, palette);
  }
  if (piece !== undefined) paintFront(ctx, camera, piece, fromAbove, light, palette);
  return fromAbove;
}

/** True if the surface hides a part of this piece of the disc.
 * @param {import("../model/patch.js").Piece} piece @param {boolean} fromAbove */
function isHiddenIn(piece, fromAbove) {
  return (fromAbove ? piece.below : piece.above).length > 0;
}

/** True if this piece of the disc fills a cell and touches the surface everywhere. The piece then hides the cell.
 * @param {import("../model/patch.js").Piece} piece */
function isSame(piece) {
  return piece.isWhole && piece.above.length === 0 && piece.below.length === 0;
}

/** Paints the visible parts of a piece of the disc: the parts that touch the surface or are in front of it.
 * @param {Pen} ctx @param {Camera} camera @param {import("../model/patch.js").Piece} piece
 * @param {boolean} fromAbove @param {readonly [number, number, number]} light @param {Palette} palette */
function paintFront(ctx, camera, piece, fromAbove, light, palette) {
  paintPiece(ctx, camera, piece.touching, piece.normal, light, palette);
  paintPiece(ctx, camera, fromAbove ? piece.above : piece.below, piece.normal, light, palette);
}

/**
 * @param {Pen} ctx @param {Camera} camera @param {number} n @param {number} i @param {number} j
 * @param {import("../model/mesh.js").Cell} cell @param {[number, number][]} corners @param {Palette} palette
 */
function paintLines(ctx, camera, n, i, j, cell, corners, palette) {
  if (cell.levels.length > 0) {
    ctx.strokeStyle = palette.level;
    ctx.lineWidth = 1.1;
    ctx.beginPath();
    for (const [from, to] of cell.levels) {
      line(ctx, camera.project(from[0], from[1], from[2]), camera.project(to[0], to[1], to[2]));
    }
    ctx.stroke();
  }
  const every = n > FEW_CELLS ? LINE_EVERY : LINE_EVERY / 2;
  const edges = [j % every === 0, i === n - 1, j === n - 1, i % every === 0];
  if (corners.length !== 4 || !edges.includes(true)) return;
  ctx.strokeStyle = palette.mesh;
  ctx.lineWidth = 0.8;
  ctx.beginPath();
  for (let k = 0; k < 4; k++) {
    if (edges[k]) line(ctx, corners[k], corners[(k + 1) % 4]);
  }
  ctx.stroke();
}

/**
 * @param {Pen} ctx @param {Camera} camera @param {Vertex[]} polygon
 * @param {readonly [number, number, number]} normal @param {readonly [number, number, number]} light
 * @param {Palette} palette
 */
function paintPiece(ctx, camera, polygon, normal, light, palette) {
  if (polygon.length < 3) return;
  const corners = polygon.map((vertex) => camera.project(vertex[0], vertex[1], vertex[2]));
  const fromAbove = isFromAbove(corners);
  const lit = litness(normal, light, fromAbove);
  ctx.fillStyle = shade(fromAbove ? palette.patch : palette.patchUnderside, AMBIENT + (1 - AMBIENT) * lit);
  fill(ctx, corners);
}

/** @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
function paintRim(ctx, camera, { mesh, patch }, palette) {
  const points = patch.rim.map((point) => {
    if (point === null) return null;
    return { at: camera.project(point.x, point.y, point.z), hidden: isHidden(mesh, camera, point.x, point.y, point.z) };
  });
  ctx.strokeStyle = palette.rose;
  ctx.lineCap = "round";
  for (const hidden of [true, false]) {
    ctx.globalAlpha = hidden ? HIDDEN_ALPHA : 1;
    ctx.lineWidth = hidden ? 1.2 : 2.2;
    ctx.beginPath();
    for (let k = 0; k + 1 < points.length; k++) {
      const from = points[k];
      const to = points[k + 1];
      if (from === null || to === null || (from.hidden && to.hidden) !== hidden) continue;
      ctx.moveTo(...from.at);
      ctx.lineTo(...to.at);
    }
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/** Computes the ends of the gradient's arrow in pixels. The arrow is tangent to the surface. Returns null if the gradient is
 * zero or undefined.
 * @param {Camera} camera @param {Scene} scene @returns {{from: [number, number], to: [number, number]} | null} */
export function arrowOf(camera, { mesh: { box }, jet, point }) {
  const across = Math.hypot(jet.fx * box.sx, jet.fy * box.sy);
  if (!(across > 0) || !Number.isFinite(jet.f + jet.fx + jet.fy)) return null;
  const direction = [jet.fx * box.sx, jet.fy * box.sy, (jet.fx ** 2 + jet.fy ** 2) * box.sz].map((part) => part / across);
  const slope = direction[2];
  const scale = (ARROW.length * slope) / (slope + ARROW.half) / Math.hypot(1, slope);
  const start = [toBoxX(box, point[0]), toBoxY(box, point[1]), toBoxZ(box, jet.f)];
  const [x, y, z] = start.map((value, k) => value + direction[k] * scale);
  return { from: camera.project(start[0], start[1], start[2]), to: camera.project(x, y, z) };
}

/** @param {Pen} ctx @param {Camera} camera @param {Scene} scene @param {Palette} palette */
function paintArrow(ctx, camera, scene, palette) {
  const arrow = arrowOf(camera, scene);
  if (arrow === null) return;
  const { from, to } = arrow;
  const lengthPx = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (lengthPx < ARROW.shortestPx) return;
  const [ux, uy] = [(to[0] - from[0]) / lengthPx, (to[1] - from[1]) / lengthPx];
  const headPx = Math.min(ARROW.headPx, lengthPx * 0.6);
  const [neckX, neckY] = [to[0] - ux * headPx, to[1] - uy * headPx];
  ctx.lineCap = "butt";
  for (const [colour, widthPx] of /** @type {const} */ ([[palette.paper, 6], [palette.leaf, 3]])) {
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = widthPx;
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(neckX, neckY);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(...to);
    ctx.lineTo(neckX - uy * headPx * 0.45, neckY + ux * headPx * 0.45);
    ctx.lineTo(neckX + uy * headPx * 0.45, neckY - ux * headPx * 0.45);
    ctx.closePath();
    ctx.lineWidth = widthPx - 3;
    if (ctx.lineWidth > 0 && colour === palette.paper) ctx.stroke();
    ctx.fill();
  }
}

/** @param {[number, number][]} corners anticlockwise from above @returns {boolean} */
function isFromAbove(corners) {
  let area = 0;
  for (let k = 0; k < corners.length; k++) {
    const [x, y] = corners[k];
    const [nextX, nextY] = corners[(k + 1) % corners.length];
    area += x * nextY - nextX * y;
  }
  return area < 0;
}

/** Adds the line between two points to the canvas's path. The line is made a little longer at both ends, because the polygons
 * of neighbouring cells overlap.
 * @param {Pen} ctx @param {[number, number]} from @param {[number, number]} to */
function line(ctx, from, to) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const share = (1.5 * OVERLAP_PX) / (Math.hypot(dx, dy) || 1);
  ctx.moveTo(from[0] - dx * share, from[1] - dy * share);
  ctx.lineTo(to[0] + dx * share, to[1] + dy * share);
}

/** @param {Pen} ctx @param {[number, number][]} corners */
function fill(ctx, corners) {
  let middleX = 0;
  let middleY = 0;
  for (const [x, y] of corners) {
    middleX += x / corners.length;
    middleY += y / corners.length;
  }
  ctx.beginPath();
  for (let k = 0; k < corners.length; k++) {
    const dx = corners[k][0] - middleX;
    const dy = corners[k][1] - middleY;
    const grown = 1 + OVERLAP_PX / (Math.hypot(dx, dy) || 1);
    const x = middleX + dx * grown;
    const y = middleY + dy * grown;
    if (k === 0) ctx.moveTo(x, y);
    else ctx.lineTo(x, y);
  }
  ctx.fill();
}

/** Computes how strongly a light shines on a cell.
 * @param {readonly [number, number, number]} normal @param {readonly [number, number, number]} light
 * @param {boolean} fromAbove false if we see the cell's lower side. The light then comes from below, so that not all lower
 *   sides are equally dark */
function litness(normal, light, fromAbove) {
  const aside = normal[0] * light[0] + normal[1] * light[1];
  return normal[2] * light[2] + (fromAbove ? aside : -aside);
}
