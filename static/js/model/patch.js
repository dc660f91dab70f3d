// Builds the picture of the quadratic approximation around the point. It is a patch, which looks like a disc from above. We cut
// the patch along the cells of the surface's mesh. In each cell, we separate the parts above the surface from the parts below
// it. So if we paint the cells from back to front, the picture shows exactly where the patch crosses the surface.

/** @typedef {import("./types.js").Jet} Jet */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {import("./mesh.js").Vertex} Vertex */
/** The part of the patch in one cell. `above` and `below`: the polygons above and below the surface. `touching`: the polygon
 * that is very near the surface. `isWhole`: true if the patch covers the whole cell and lies within the shown heights there.
 * @typedef {{above: Vertex[], touching: Vertex[], below: Vertex[], normal: readonly [number, number, number], isWhole: boolean}} Piece */
/** A point of the patch's rim. `gap`: its height above the surface.
 * @typedef {{x: number, y: number, z: number, gap: number}} RimPoint */
/** The patch as seen from above: its centre and radius, in the box's units.
 * @typedef {{x: number, y: number, radius: number}} Disc */
/** The quadratic approximation as a patch. `pieces`: from a cell's number to the part in this cell. `rim`: points along the
 * rim. A point outside the box is null. @typedef {{pieces: Map<number, Piece>, rim: (RimPoint | null)[]}} Patch */

import { HEIGHT, toBoxX, toBoxY, toBoxZ } from "./camera.js";
import { clip, clipHeight, cornersOf, heightAt, normalOf } from "./mesh.js";
import { eigenvaluesOf } from "./point-kind.js";

/** The disc's radius if the surface is nearly flat, in the box's units. If the surface is strongly curved, we use a smaller
 * radius. Otherwise the disc's edge would be almost vertical. */
const LARGEST_RADIUS = 0.52;
/** A measure of strong curvature. The disc's radius is LARGEST_RADIUS / √2 if the curvature times LARGEST_RADIUS² is
 * MUCH_BENT. */
const MUCH_BENT = 1.6;
const RIM_POINTS = 96;
/** Where the distance between disc and surface is less than this, they touch, and we draw the disc on both sides of the
 * surface. */
const TOUCHING = 0.004;

/** Builds the patch of an approximation around the point.
 * @param {Mesh} mesh @param {Jet} jet @param {Point} point
 * @param {((dx: number, dy: number) => number) | null} polynomial takes a distance from the point and returns the
 * approximation's height, both in the box's units. If null, the approximation is the quadratic one @returns {Patch} */
export function buildPatch(mesh, jet, point, polynomial = null) {
  const { n } = mesh;
  const disc = discAt(mesh, jet, point);
  const quadratic = polynomial ?? quadraticOf(mesh, jet);
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  if (!Number.isFinite(quadratic(0, 0))) return { pieces, rim: [] };

  const cell = 2 / n;
  const first = (/** @type {number} */ centre) => Math.max(0, Math.floor((centre - disc.radius + 1) / cell));
  const last = (/** @type {number} */ centre) => Math.min(n - 1, Math.floor((centre + disc.radius + 1) / cell));
  for (let j = first(disc.y); j <= last(disc.y); j++) {
    for (let i = first(disc.x); i <= last(disc.x); i++) {
      const piece = pieceAt(i, j, mesh, disc, quadratic);
      if (piece !== null) pieces.set(j * n + i, piece);
    }
  }
  const rim = [];
  for (let k = 0; k <= RIM_POINTS; k++) {
    const angle = (2 * Math.PI * k) / RIM_POINTS;
    rim.push(rimPoint(mesh, disc, angle, quadratic));
  }
  return { pieces, rim };
}

/** @param {{box: import("./camera.js").Box}} mesh @param {Jet} jet @param {Point} point @returns {Disc} */
export function discAt({ box }, jet, point) {
  const hxx = (jet.fxx * box.sz) / box.sx ** 2;
  const hxy = (jet.fxy * box.sz) / (box.sx * box.sy);
  const hyy = (jet.fyy * box.sz) / box.sy ** 2;
  const [lo, hi] = eigenvaluesOf(hxx, hxy, hyy);
  const bent = (Math.max(Math.abs(lo), Math.abs(hi)) * LARGEST_RADIUS ** 2) / MUCH_BENT;
  return { x: toBoxX(box, point[0]), y: toBoxY(box, point[1]), radius: LARGEST_RADIUS / Math.sqrt(1 + bent) };
}

/** @param {Mesh} mesh @param {Jet} jet
 * @returns {(dx: number, dy: number) => number} the approximation's height at a distance from the point, in box units */
function quadraticOf({ box }, jet) {
  const z = toBoxZ(box, jet.f);
  const gx = (jet.fx * box.sz) / box.sx;
  const gy = (jet.fy * box.sz) / box.sy;
  const hxx = (jet.fxx * box.sz) / (2 * box.sx ** 2);
  const hxy = (jet.fxy * box.sz) / (box.sx * box.sy);
  const hyy = (jet.fyy * box.sz) / (2 * box.sy ** 2);
  return (dx, dy) => z + gx * dx + gy * dy + hxx * dx * dx + hxy * dx * dy + hyy * dy * dy;
}

/**
 * @param {number} i @param {number} j @param {Mesh} mesh @param {Disc} disc
 * @param {(dx: number, dy: number) => number} quadratic @returns {Piece | null}
 */
function pieceAt(i, j, { n, heights }, disc, quadratic) {
  const corners = cornersOf(i, j, n, heights).map(([x, y, z]) => {
    const height = quadratic(x - disc.x, y - disc.y);
    return [x, y, height, Number.isNaN(z) ? 1 : height - z];
  });
  let polygon = insideDisc(corners, disc);
  const isWhole = polygon === corners && corners.every((vertex) => Math.abs(vertex[2]) <= HEIGHT);
  if (polygon.length < 3) return null;
  polygon = clipHeight(polygon);
  if (polygon.length < 3) return null;
  return {
    above: clip(polygon, (vertex) => vertex[3] - TOUCHING),
    touching: clip(clip(polygon, (vertex) => vertex[3] + TOUCHING), (vertex) => TOUCHING - vertex[3]),
    below: clip(polygon, (vertex) => -TOUCHING - vertex[3]),
    normal: normalOf(corners),
    isWhole,
  };
}

/** @param {Vertex[]} corners @param {Disc} disc @returns {Vertex[]} */
function insideDisc(corners, { x: centreX, y: centreY, radius }) {
  const distances = corners.map(([x, y]) => Math.hypot(x - centreX, y - centreY));
  if (Math.max(...distances) <= radius) return corners;
  const middleX = (corners[0][0] + corners[2][0]) / 2 - centreX;
  const middleY = (corners[0][1] + corners[2][1]) / 2 - centreY;
  const length = Math.hypot(middleX, middleY) || 1;
  // Within one cell the circle equals its tangent to a fraction of a pixel.
  return clip(corners, ([x, y]) => radius - ((x - centreX) * middleX + (y - centreY) * middleY) / length);
}

/**
 * @param {Mesh} mesh @param {Disc} disc @param {number} angle
 * @param {(dx: number, dy: number) => number} quadratic @returns {RimPoint | null}
 */
function rimPoint(mesh, disc, angle, quadratic) {
  const dx = disc.radius * Math.cos(angle);
  const dy = disc.radius * Math.sin(angle);
  const x = disc.x + dx;
  const y = disc.y + dy;
  const z = quadratic(dx, dy);
  if (Math.abs(x) > 1 || Math.abs(y) > 1 || Math.abs(z) > HEIGHT) return null;
  return { x, y, z, gap: z - heightAt(mesh, x, y) };
}
