// Paints the band around the approximation in which the surface is proven to lie. In the picture of the surface, paints the
// band's upper and lower edges. Each edge is a line around the disc, and lines from it to the point. In a slice, paints the
// area between the two edges.

/** @typedef {import("../../model/camera.js").Camera} Camera */
/** @typedef {import("../../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../../model/patch.js").Disc} Disc */
/** @typedef {import("../../model/plot-frame.js").PlotFrame} PlotFrame */
/** @typedef {import("../../model/taylor.js").Band} Band */
/** @typedef {import("../../model/taylor.js").Height} Height */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../widgets/palette.js").Palette} Palette */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {[number, number, number] | null} Place */

import { HEIGHT, toBoxZ } from "../../model/camera.js";
import { directionAt } from "../../model/taylor.js";
import { paintLine } from "../../widgets/scene-marks.js";

const RIM_POINTS = 128;
const SPOKES = 8;
const SPOKE_POINTS = 12;
const WIDTH_PX = 1.6;
const AREA_ALPHA = 0.16;

/** @param {Pen} pen @param {Camera} camera @param {Mesh} mesh @param {Disc} disc @param {Height} height of the approximation
 * @param {Band} band @param {Palette} palette */
export function paintBand(pen, camera, mesh, disc, height, band, palette) {
  for (const end of /** @type {const} */ ([0, 1])) {
    /** @type {(turn: number, share: number) => Place} */
    const at = (turn, share) => {
      const [u, v] = directionAt(turn).map((part) => part * share * disc.radius);
      const bounds = band(u, v);
      if (bounds === null) return null;
      const [x, y, z] = [disc.x + u, disc.y + v, toBoxZ(mesh.box, height(u, v) + bounds[end])];
      return Math.max(Math.abs(x), Math.abs(y)) <= 1 && Math.abs(z) <= HEIGHT ? [x, y, z] : null;
    };
    const rim = Array.from({ length: RIM_POINTS + 1 }, (_, k) => at((k % RIM_POINTS) / RIM_POINTS, 1));
    const spokes = Array.from({ length: SPOKES }, (_, k) => Array.from({ length: SPOKE_POINTS + 1 }, (_point, step) => at(k / SPOKES, step / SPOKE_POINTS)));
    pen.lineCap = "round";
    for (const line of [rim, ...spokes]) paintLine(pen, camera, mesh, line, palette.ink, line === rim ? WIDTH_PX : WIDTH_PX / 2);
  }
}

/** @param {Pen} pen @param {PlotFrame} frame @param {readonly (readonly [number, number, number])[]} area distance, lowest and highest
 * height @param {string} colour */
export function paintBandArea(pen, frame, area, colour) {
  if (area.length < 2) return;
  const [, , lowest, highest] = frame.region;
  const inside = (/** @type {number} */ z) => Math.min(Math.max(z, lowest), highest);
  const edges = [area.map(([s, low]) => frame.toPx([s, inside(low)])), area.map(([s, , high]) => frame.toPx([s, inside(high)])).reverse()];
  pen.fillStyle = colour;
  pen.globalAlpha = AREA_ALPHA;
  pen.beginPath();
  edges.flat().forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}
