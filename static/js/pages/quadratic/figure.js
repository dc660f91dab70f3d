// The pictures as one figure, for files: PNG and SVG. It shows what the page shows, with a legend below.

/** @typedef {import("../../model/types.js").Layout} Layout */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/palette.js").Palette} Palette */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("./pictures.js").Scenes} Scenes */
/** @typedef {{scenes: Scenes, title: string, legend: readonly Entry[], palette: Palette, inks: Inks}} Figure */
/** An entry of the legend: a coloured sample and a text. `look`: the CSS class of the sample. `words`: the text.
 * @typedef {{look: string, words: string}} Entry */

import { Camera, HEIGHT, toBoxX, toBoxY, toBoxZ } from "../../model/camera.js";
import { clamp } from "../../model/numbers.js";
import { PlotFrame } from "../../model/plot-frame.js";
import { fit } from "../../widgets/canvas-picture.js";
import { paintScene } from "../../widgets/scene.js";
import { paintCritical } from "../../widgets/scene-marks.js";
import { SvgPen } from "../../widgets/svg-pen.js";
import { mapFrame } from "./map-picture.js";
import { paintError, paintFollowing, paintGround } from "./map-scene.js";
import { SLICE_MARGINS } from "./plots.js";
import { paintSlice } from "./slice-scene.js";

const SIDE_PX = 600;
const SLICE_PX = 260;
const TITLE_PX = 44;
const ENTRY = { width: 300, height: 22, swatch: 26 };
const RATIO = 2;

/** @param {Figure} figure @returns {string} */
export function figureAsSvg(figure) {
  const pen = new SvgPen();
  paintFigure(pen, figure);
  return pen.text(...sizeOf(figure));
}

/** @param {Figure} figure @returns {Promise<Blob>} */
export function figureAsPng(figure) {
  const canvas = document.createElement("canvas");
  const [width, height] = sizeOf(figure);
  fit(canvas, width * RATIO, height * RATIO);
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.scale(RATIO, RATIO);
  paintFigure(ctx, figure);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("No picture was made.")) : resolve(blob)));
  });
}

/** @param {Figure} figure */
function panelsOf({ scenes: { surface, map } }) {
  return (surface === null ? 0 : 1) + (map === null ? 0 : 1);
}

/** @param {Figure} figure @returns {[number, number]} the size in pixels */
function sizeOf(figure) {
  const width = panelsOf(figure) * SIDE_PX;
  const rows = Math.ceil(figure.legend.length / Math.floor(width / ENTRY.width));
  return [width, TITLE_PX + SIDE_PX + (figure.scenes.slice === null ? 0 : SLICE_PX) + (rows + 1) * ENTRY.height];
}

/** @param {Pen} pen @param {Figure} figure */
function paintFigure(pen, figure) {
  const { scenes: { view, surface, map, slice, heights }, title, palette, inks } = figure;
  const [width, height] = sizeOf(figure);
  pen.fillStyle = inks.paper;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = inks.ink;
  pen.font = `18px ${inks.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(title, width / 2, TITLE_PX / 2);
  pen.lineCap = "round";
  pen.lineJoin = "round";
  if (surface !== null) {
    const camera = new Camera(view, SIDE_PX, SIDE_PX);
    camera.centreY += TITLE_PX;
    paintScene(pen, camera, surface, palette);
    const [x, y] = camera.project(...placeOf(surface));
    paintPoint(pen, x, y, inks);
  }
  if (map !== null) {
    const frame = lowered(mapFrame(map.map.region, SIDE_PX, SIDE_PX, width - SIDE_PX), TITLE_PX);
    paintError(pen, frame, map, inks);
    paintGround(pen, frame, map, inks);
    paintFollowing(pen, frame, map, inks);
    paintPoint(pen, ...frame.toPx(map.point), inks);
  }
  if (slice !== null) {
    const frame = lowered(new PlotFrame([...slice.reach, ...heights], width, SLICE_PX, SLICE_MARGINS), TITLE_PX + SIDE_PX);
    paintSlice(pen, frame, slice, inks);
  }
  paintLegend(pen, figure, width, height);
}

/** @param {PlotFrame} frame @param {number} byPx @returns {PlotFrame} */
function lowered(frame, byPx) {
  frame.top += byPx;
  frame.bottom += byPx;
  return frame;
}

/** The point in the box. @param {import("../../widgets/scene.js").Scene} scene @returns {[number, number, number]} */
function placeOf({ mesh: { box }, jet, point }) {
  return [toBoxX(box, point[0]), toBoxY(box, point[1]), clamp(toBoxZ(box, Number.isNaN(jet.f) ? -Infinity : jet.f), -HEIGHT, HEIGHT)];
}

/** @param {Pen} pen @param {number} x @param {number} y @param {Inks} inks */
function paintPoint(pen, x, y, inks) {
  for (const [colour, radius] of /** @type {const} */ ([[inks.paper, 8], [inks.rose, 6]])) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** @param {Pen} pen @param {Figure} figure @param {number} width @param {number} height */
function paintLegend(pen, { legend, palette, inks }, width, height) {
  const columns = Math.floor(width / ENTRY.width);
  const top = height - (Math.ceil(legend.length / columns) + 0.5) * ENTRY.height;
  legend.forEach(({ look, words }, k) => {
    const x = 24 + (k % columns) * ENTRY.width;
    const y = top + (Math.floor(k / columns) + 0.5) * ENTRY.height;
    paintSwatch(pen, look, x, y, palette, inks);
    pen.fillStyle = inks.soft;
    pen.font = `13px ${inks.font}`;
    pen.textAlign = "start";
    pen.textBaseline = "middle";
    pen.fillText(words, x + ENTRY.swatch, y);
  });
}

/** @param {Pen} pen @param {string} look @param {number} x @param {number} y @param {Palette} palette @param {Inks} inks */
function paintSwatch(pen, look, x, y, palette, inks) {
  const lines = /** @type {Record<string, string>} */ ({
    arrow: inks.leaf, level: inks.soft, equal: inks.ink, round: inks.rose, cut: inks.ink, tangent: inks.leaf, parabola: inks.rose, route: inks.long,
  });
  const areas = /** @type {Record<string, string>} */ ({
    sheet: palette.surface[palette.surface.length - 1], disc: palette.patch[palette.patch.length - 1], height: inks.shade, over: inks.short, under: inks.long,
  });
  if (look === "point") {
    paintPoint(pen, x + 9, y, inks);
  } else if (look === "minimum" || look === "maximum" || look === "saddle" || look === "undecided") {
    paintCritical(pen, [x + 9, y], look, inks);
  } else if (look in lines) {
    pen.strokeStyle = lines[look];
    pen.lineWidth = look === "parabola" || look === "route" || look === "arrow" ? 3 : 2;
    pen.setLineDash(look === "cut" ? [6, 4] : []);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + 18, y);
    pen.stroke();
    pen.setLineDash([]);
  } else if (look in areas) {
    pen.fillStyle = areas[look];
    pen.fillRect(x, y - 5, 18, 10);
  }
}
