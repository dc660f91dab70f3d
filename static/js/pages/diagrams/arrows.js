// Arrows that show in which direction terms push shapes.

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {{from: readonly [number, number], by: readonly [number, number]}} Push */

import { centreOf } from "./layout.js";

const SVG = "http://www.w3.org/2000/svg";
/** The longest arrow, as a share of the canvas. */
const LONGEST = 0.14;
/** An arrow is left out if it is shorter than this share of the longest arrow. */
const SHORTEST = 0.02;
/** The head of an arrow, as a share of the canvas. */
const HEAD = 0.022;

/** Computes the forces to draw as arrows. If `shape` is null, returns one force for each shape: the sum of the terms' forces on
 * it. Otherwise returns one force for each term: its force on this shape.
 * @param {Layout} layout @param {Placed} placed @param {readonly number[]} terms @param {number | null} shape
 * @returns {Push[]} */
export function pushesOf(layout, placed, terms, shape) {
  const drawn = layout.artifact.shapes.map(({ kind, moves }, k) => (moves && kind !== "group" ? k : -1)).filter((k) => k >= 0);
  const groups = shape === null ? [terms] : terms.map((term) => [term]);
  return groups.flatMap((group) => {
    const forces = layout.forces(placed, group);
    const about = shape === null ? drawn : [shape];
    return about.map((k) => ({ from: centreOf(placed, k), by: /** @type {const} */ ([forces[2 * k], forces[2 * k + 1]]) }));
  });
}

/** Draws forces as arrows. The length of each arrow is proportional to its force. The strongest force gets an arrow
 * of length LONGEST.
 * @param {readonly Push[]} pushes @param {readonly [number, number]} size of the canvas @returns {SVGPathElement[]} */
export function arrowsOf(pushes, size) {
  const lengths = pushes.map(({ by }) => Math.hypot(...by));
  const strongest = Math.max(0, ...lengths.filter(Number.isFinite));
  const side = Math.min(...size);
  return pushes.flatMap(({ from: [x, y], by: [dx, dy] }, k) => {
    const share = lengths[k] / strongest;
    if (!(share > SHORTEST)) return [];
    const [ux, uy] = [dx / lengths[k], -dy / lengths[k]];
    const [endX, endY] = [x + ux * share * LONGEST * side, -y + uy * share * LONGEST * side];
    const head = HEAD * side;
    const wing = (/** @type {number} */ sign) => `${(endX - head * (ux - sign * 0.5 * uy)).toFixed(2)} ${(endY - head * (uy + sign * 0.5 * ux)).toFixed(2)}`;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M ${x.toFixed(2)} ${(-y).toFixed(2)} L ${endX.toFixed(2)} ${endY.toFixed(2)} M ${wing(1)} L ${endX.toFixed(2)} ${endY.toFixed(2)} L ${wing(-1)}`);
    return [path];
  });
}
