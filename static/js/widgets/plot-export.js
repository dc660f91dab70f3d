// Saves plots as a picture, side by side.

/** @typedef {import("../model/types.js").Region} Region */
/** @typedef {import("./palette.js").Inks} Inks */
/** @typedef {import("./plot-picture.js").Paint} Paint */
/** @typedef {import("./svg-pen.js").Pen} Pen */

import { PlotFrame } from "../model/plot-frame.js";
import { MARGINS } from "./plot-picture.js";
import { SvgPen } from "./svg-pen.js";

const EXPORT_PX = 600;
const EXPORT_RATIO = 2;

/** @param {readonly {region: Region, paint: Paint}[]} plots @param {Inks} palette
 * @returns {string} the SVG file */
export function plotsAsSvg(plots, palette) {
  const pen = new SvgPen();
  paintAll(pen, plots, palette);
  return pen.text(plots.length * EXPORT_PX, EXPORT_PX);
}

/** @param {readonly {region: Region, paint: Paint}[]} plots @param {Inks} palette @returns {Promise<Blob>} */
export function plotsAsPng(plots, palette) {
  const canvas = document.createElement("canvas");
  canvas.width = plots.length * EXPORT_PX * EXPORT_RATIO;
  canvas.height = EXPORT_PX * EXPORT_RATIO;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.scale(EXPORT_RATIO, EXPORT_RATIO);
  paintAll(ctx, plots, palette);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("No picture was made.")) : resolve(blob)));
  });
}

/** @param {Pen} pen @param {readonly {region: Region, paint: Paint}[]} plots @param {Inks} palette */
function paintAll(pen, plots, palette) {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, plots.length * EXPORT_PX, EXPORT_PX);
  pen.lineCap = "round";
  pen.lineJoin = "round";
  plots.forEach(({ region, paint }, k) => paint(pen, new PlotFrame(region, EXPORT_PX, EXPORT_PX, MARGINS, k * EXPORT_PX), palette));
}
