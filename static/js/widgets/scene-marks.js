// Paints marks on the surface: the curve of the slice, the path of the descent, the curve of an equation, and the critical points.

/** @typedef {import("../model/camera.js").Camera} Camera */
/** @typedef {import("../model/critical.js").Critical} Critical */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/slice.js").Slice} Slice */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./svg-pen.js").Pen} Pen */
/** The marks on the surface. `slice`: the curve of a slice, or null. `path`: the points of a descent. `critical`: the critical
 * points. `roots`: the contour line of height 0, which is the curve of an equation.
 * @typedef {{slice: Slice | null, path: readonly Point[], critical: readonly Critical[],
 *   roots: readonly import("../model/height-map.js").Stroke[]}} Marks */

import { HEIGHT, toBoxX, toBoxY, toBoxZ } from "../model/camera.js";
import { heightAt } from "../model/mesh.js";
import { isHidden } from "../model/pick.js";

const HIDDEN_ALPHA = 0.3;
const MARK_PX = 5;
/** To draw a path on the surface, we divide it into pieces of this length, in units of the box. */
const STEP = 0.04;
/** Marks are drawn this far above the surface, so that the surface does not hide them. */
const ABOVE = 0.006;

/** @param {Pen} pen @param {Camera} camera @param {Mesh} mesh @param {Marks} marks @param {Palette} palette */
export function paintSceneMarks(pen, camera, mesh, { slice, path, critical, roots }, palette) {
  pen.lineCap = "round";
  const ends = roots.flatMap(([a, b, c, d]) => [boxed(mesh, [a, b], toBoxZ(mesh.box, 0)), boxed(mesh, [c, d], toBoxZ(mesh.box, 0)), null]);
  paintLine(pen, camera, mesh, ends, palette.ink, 3);
  if (slice !== null) {
    const { from, direction, reach } = slice;
    for (const piece of slice.curve.pieces) {
      const line = piece.filter((_, k) => k % 2 === 0 || k === piece.length - 1).map(([s, z]) => {
        const along = s - reach[0];
        return boxed(mesh, [from[0] + along * direction[0], from[1] + along * direction[1]], toBoxZ(mesh.box, z));
      });
      paintLine(pen, camera, mesh, line, palette.ink, 2);
    }
  }
  paintLine(pen, camera, mesh, onSurface(mesh, path), palette.path, 2.5);
  for (const { at, f, kind } of critical) {
    const place = boxed(mesh, at, toBoxZ(mesh.box, f));
    if (place === null) continue;
    pen.globalAlpha = isHidden(mesh, camera, ...place) ? HIDDEN_ALPHA : 1;
    paintCritical(pen, camera.project(...place), kind, palette);
  }
  pen.globalAlpha = 1;
}

/** @param {Mesh} mesh @param {Point} point @param {number} z in the box @returns {[number, number, number] | null} null outside the box */
function boxed({ box }, [x, y], z) {
  return Math.abs(z) <= HEIGHT ? [toBoxX(box, x), toBoxY(box, y), z + ABOVE] : null;
}

/** @param {Mesh} mesh @param {readonly Point[]} path @returns {([number, number, number] | null)[]} */
function onSurface(mesh, path) {
  /** @type {([number, number, number] | null)[]} */
  const line = [];
  for (let k = 0; k + 1 < path.length; k++) {
    const [a, b] = [path[k], path[k + 1]];
    const length = Math.hypot((b[0] - a[0]) * mesh.box.sx, (b[1] - a[1]) * mesh.box.sy);
    const steps = Math.max(1, Math.ceil(length / STEP));
    for (let step = k === 0 ? 0 : 1; step <= steps; step++) {
      const point = /** @type {const} */ ([a[0] + ((b[0] - a[0]) * step) / steps, a[1] + ((b[1] - a[1]) * step) / steps]);
      line.push(boxed(mesh, point, heightAt(mesh, toBoxX(mesh.box, point[0]), toBoxY(mesh.box, point[1]))));
    }
  }
  return line;
}

/** @param {Pen} pen @param {Camera} camera @param {Mesh} mesh @param {readonly ([number, number, number] | null)[]} line
 * @param {string} colour @param {number} widthPx */
export function paintLine(pen, camera, mesh, line, colour, widthPx) {
  const places = line.map((place) => place && { at: camera.project(...place), hidden: isHidden(mesh, camera, ...place) });
  pen.strokeStyle = colour;
  for (const hidden of [true, false]) {
    pen.globalAlpha = hidden ? HIDDEN_ALPHA : 1;
    pen.lineWidth = hidden ? widthPx / 2 : widthPx;
    pen.beginPath();
    for (let k = 0; k + 1 < places.length; k++) {
      const [from, to] = [places[k], places[k + 1]];
      if (from === null || to === null || (from.hidden && to.hidden) !== hidden) continue;
      pen.moveTo(...from.at);
      pen.lineTo(...to.at);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Draws the mark of a critical point. The mark of a minimum is a triangle that points down. The mark of a maximum is a
 * triangle that points up. The mark of a saddle is a rhombus, and the mark of any other kind is a square.
 * @param {Pen} pen @param {readonly [number, number]} at in pixels @param {Critical["kind"]} kind
 * @param {{paper: string, ink: string}} inks */
export function paintCritical(pen, [x, y], kind, inks) {
  const r = MARK_PX;
  const outline = {
    minimum: [[-r, -r], [r, -r], [0, r]],
    maximum: [[-r, r], [r, r], [0, -r]],
    saddle: [[-r, 0], [0, -r], [r, 0], [0, r]],
    undecided: [[-r, -r], [r, -r], [r, r], [-r, r]],
  }[kind];
  pen.fillStyle = kind === "saddle" || kind === "undecided" ? inks.paper : inks.ink;
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 2;
  pen.beginPath();
  outline.forEach(([dx, dy], k) => (k === 0 ? pen.moveTo(x + dx, y + dy) : pen.lineTo(x + dx, y + dy)));
  pen.closePath();
  pen.fill();
  pen.stroke();
}
