// The colours of a surface by the error of its quadratic approximation.

/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {readonly (readonly string[])[]} Ramps */

import { toBoxZ } from "../model/camera.js";

/** A ramp is a list of colours from dark to light. A tint is a colour that we mix into a ramp. TINTS: the number of ramps for a
 * tint, from weak to strong. DEEPEST_TINT: the fraction of the tint in the strongest ramp. TINT_IN_SHADE: the tint's brightness
 * at the dark end of a ramp. */
const TINTS = 6;
const DEEPEST_TINT = 0.8;
const TINT_IN_SHADE = 0.6;

/** The cached ramps of each palette: one list for cells above the approximation, and one list for cells below it. Each list
 * goes from a weak to a strong tint.
 * @type {WeakMap<Palette, readonly [Ramps, Ramps]>} */
const known = new WeakMap();

/** Chooses a ramp of colours for each cell of a mesh by the approximation's error in the cell. The returned function takes a
 * palette and returns a function of a cell's column and row. That function returns a ramp, or null for the surface's own
 * colours.
 * @param {Mesh} mesh @param {(x: number, y: number) => number} quadratic the approximation
 * @param {number} largest the error that gets the strongest tint
 * @returns {(palette: Palette) => (i: number, j: number) => readonly string[] | null} */
export function shadesOfError({ n, box, cells }, quadratic, largest) {
  return (palette) => {
    const [over, under] = rampsOf(palette);
    return (i, j) => {
      const { polygon } = cells[j * n + i];
      let [x, y, z] = [0, 0, 0];
      for (const vertex of polygon) {
        x += vertex[0] / polygon.length;
        y += vertex[1] / polygon.length;
        z += vertex[2] / polygon.length;
      }
      const off = (z - toBoxZ(box, quadratic(box.x0 + (x + 1) / box.sx, box.y0 + (y + 1) / box.sy))) / (largest * box.sz);
      const tint = Math.min(Math.round(Math.abs(off) * TINTS), TINTS) - 1;
      return (off > 0 ? over : under)[tint] ?? null;
    };
  };
}

/** @param {Palette} palette @returns {readonly [Ramps, Ramps]} */
function rampsOf(palette) {
  const ramps = known.get(palette) ?? /** @type {const} */ ([tinted(palette.surface, palette.over), tinted(palette.surface, palette.path)]);
  known.set(palette, ramps);
  return ramps;
}

/** Makes TINTS ramps by mixing a tint into the surface's own ramp of colours. Each ramp contains more of the tint than the ramp
 * before it. @param {readonly string[]} ramp the surface's own colours
 * @param {string} tint as #rrggbb
 * @returns {Ramps} */
function tinted(ramp, tint) {
  const parts = [1, 3, 5].map((at) => parseInt(tint.slice(at, at + 2), 16));
  return Array.from({ length: TINTS }, (_, k) => {
    const share = (DEEPEST_TINT * (k + 1)) / TINTS;
    return ramp.map((colour, step) => {
      const bright = TINT_IN_SHADE + ((1 - TINT_IN_SHADE) * step) / (ramp.length - 1);
      const mixed = (colour.match(/\d+/g) ?? []).map((own, part) => Math.round(Number(own) * (1 - share) + parts[part] * bright * share));
      return `rgb(${mixed.join(" ")})`;
    });
  });
}
