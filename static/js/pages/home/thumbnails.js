// Small pictures of the pages, from the modules that the pages begin with.

/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {(ctx: CanvasRenderingContext2D, widthPx: number, heightPx: number) => void} Thumbnail */

import { instantiate } from "../../engine/kernel.js";
import { loadRegression, loadRobot, loadTable, loadTapes } from "../../engine/presets.js";
import { Camera, START_VIEW } from "../../model/camera.js";
import { buildMesh } from "../../model/mesh.js";
import { TableFrame } from "../../model/metre-frame.js";
import { format } from "../../model/numbers.js";
import { buildPatch } from "../../model/patch.js";
import { PlotFrame } from "../../model/plot-frame.js";
import { readInks, readPalette } from "../../widgets/palette.js";
import { arrowOf, paintSurface } from "../../widgets/scene.js";

const CELLS = 30;
/** The descents of the pictures, in steps. */
const SHOT_STEPS = 80;
const FIT_STEPS = 400;
const ROBOT_MOMENT = 0.55;
const PADDING_PX = 8;

/** @param {Record<string, string>} manifest @param {readonly Preset[]} presets
 * @returns {Record<string, () => Promise<Thumbnail>>} by the page's name; each loads what it needs when it is called */
export function pages(manifest, presets) {
  return {
    quadratic: async () => surface(presets[0]),
    regression: () => regression(manifest),
    billiards: () => billiards(manifest),
    robot: () => robot(manifest),
    tape: () => tape(manifest),
    playground: async () => bytes(presets[0].artifact.wasm),
  };
}

/** A surface with its point and disc, without numbers. @param {Preset} preset @returns {Thumbnail} */
export function surface({ artifact, doc }) {
  const { evaluate } = instantiate(artifact.wasm, artifact.abi);
  const values = doc.params.map((param) => param.value);
  const results = new Float64Array(6);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    evaluate?.([x, y, ...values], results);
    return results[0];
  };
  const { region, point } = doc;
  const mesh = buildMesh(at, region, CELLS);
  at(point[0], point[1]);
  const [f, fx, fy, fxx, fxy, fyy] = results;
  const jet = { f, fx, fy, fxx, fxy, fyy };
  const scene = { mesh, jet, point, region, patch: buildPatch(mesh, jet, point) };
  return (ctx, widthPx, heightPx) => {
    const camera = new Camera(START_VIEW, widthPx, heightPx);
    fitInto(camera, scene, widthPx, heightPx);
    paintSurface(ctx, camera, scene, readPalette(ctx.canvas));
  };
}

/** Without numbers around it, all of the surface fills the picture.
 * @param {Camera} camera @param {import("../../widgets/scene.js").Scene} scene @param {number} widthPx @param {number} heightPx */
function fitInto(camera, scene, widthPx, heightPx) {
  const seen = scene.mesh.cells.flatMap(({ polygon }) => polygon.map(([x, y, z]) => camera.project(x, y, z)));
  for (const point of scene.patch.rim) if (point !== null) seen.push(camera.project(point.x, point.y, point.z));
  const arrow = arrowOf(camera, scene);
  if (arrow !== null) seen.push(arrow.to);
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const grown = Math.min((widthPx - 2 * PADDING_PX) / (right - left), (heightPx - 2 * PADDING_PX) / (bottom - top));
  const { centreX, centreY } = camera;
  camera.scalePx *= grown;
  camera.centreX = widthPx / 2 - grown * ((left + right) / 2 - centreX);
  camera.centreY = heightPx / 2 - grown * ((top + bottom) / 2 - centreY);
}

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} the loss over all lines, and a descent */
async function regression(manifest) {
  const [{ Fitting }, fits, { lossContours }, { paintSurface: paintLoss }] = await Promise.all([
    import("../regression/fitting.js"), import("../regression/fit.js"), import("../regression/loss-contours.js"), import("../regression/scene.js"),
  ]);
  const { beginning, artifact } = await loadRegression(manifest);
  const fitting = new Fitting(beginning, artifact);
  let fit = fits.firstFit(beginning);
  const path = [fit.line];
  for (let k = 0; k < FIT_STEPS; k++) {
    const { slope } = fitting.jet(fit);
    const [a, b] = fit.line;
    const { rate } = fit.settings;
    fit = { ...fit, line: [a - rate * slope[0], b - rate * slope[1]] };
    path.push(fit.line);
  }
  const region = /** @type {const} */ ([-0.5, 1.5, -2, 8]);
  const scene = {
    fit, path, region, origin: 0, jet: fitting.jet(fit), exact: fitting.exact(fit), chosen: -1, residuals: false, showsExact: true,
    contours: lossContours(fitting.surface(fit, region), beginning.cells), cells: beginning.cells,
  };
  return (ctx, widthPx, heightPx) => {
    const margins = { left: 26, right: 14, top: 22, bottom: 34 };
    paintLoss(ctx, new PlotFrame(region, widthPx, heightPx, margins), readInks(ctx.canvas), scene);
  };
}

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} a shot after some steps of descent */
async function billiards(manifest) {
  const [{ Shot }, { firstTable }, { paintTable }] = await Promise.all([
    import("../billiards/shot.js"), import("../billiards/table.js"), import("../billiards/scene.js"),
  ]);
  const { beginning, artifact } = await loadTable(manifest);
  const shot = new Shot(artifact);
  let table = firstTable(beginning);
  for (let k = 0; k < SHOT_STEPS; k++) {
    const { x, v } = shot.jet(table);
    const down = (/** @type {readonly [number, number]} */ from, /** @type {readonly [number, number]} */ slope) =>
      /** @type {[number, number]} */ (from.map((value, axis) => value - table.settings.rate * slope[axis]));
    table = { ...table, cue: { x: down(table.cue.x, x), v: down(table.cue.v, v) } };
  }
  const scene = {
    table, paths: shot.trace(table), jet: shot.jet(table), step: table.settings.steps, field: null, show: /** @type {const} */ ("none"),
    traces: true, ghosts: [],
  };
  return (ctx, widthPx, heightPx) => {
    const frame = new TableFrame(beginning.cushions, widthPx, heightPx);
    const [x0, x1, y0, y1] = beginning.cushions;
    const [left, top] = frame.toPx([x0, y1]);
    // What leaves the table ends at its edge, not at that of the picture.
    ctx.beginPath();
    ctx.rect(left - 1, top - 1, (x1 - x0) * frame.scale + 2, (y1 - y0) * frame.scale + 2);
    ctx.clip();
    paintTable(ctx, frame, scene, readInks(ctx.canvas), beginning);
  };
}

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} a walk with the gait that was trained */
async function robot(manifest) {
  const [{ Gait }, robots, { RobotCamera }, { paintRobot }] = await Promise.all([
    import("../robot/gait.js"), import("../robot/model.js"), import("../robot/camera.js"), import("../robot/scene.js"),
  ]);
  const { beginning, artifact } = await loadRobot(manifest);
  const made = robots.robotOf(beginning, beginning.first);
  const motion = new Gait(artifact.motion, robots.shapeOf(made, beginning)).motion(made.weights, robots.worldOf(made, beginning));
  const scene = { robot: made, motion, step: Math.round(ROBOT_MOMENT * made.steps), editing: false, poses: true, ends: [], selection: null };
  const area = new RobotCamera(beginning.ground).look(scene, false, false, 0);
  return (ctx, widthPx, heightPx) =>
    paintRobot(ctx, new TableFrame(area, widthPx, heightPx), scene, readInks(ctx.canvas), beginning.ground);
}

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} the rows of a formula, values and cotangents */
async function tape(manifest) {
  const [[{ doc, artifact }], { operationText, rowText }] = await Promise.all([loadTapes(manifest), import("../tape/operation.js")]);
  const { evaluate } = instantiate(artifact.wasm, artifact.abi);
  const numbers = new Float64Array(artifact.abi.result.leaves[0].dims[0]);
  evaluate?.([...doc.point, ...doc.direction], numbers);
  const shown = (/** @type {number | null} */ place) => (place === null ? "" : format(numbers[place]));
  const { nodes } = artifact;
  const rows = nodes.map((node, k) => [rowText(node.name), node.op === "input" ? "" : operationText(nodes, k), shown(node.value), shown(node.cotangent)]);
  return (ctx, widthPx, heightPx) => {
    const inks = readInks(ctx.canvas);
    const stepPx = (heightPx - 2 * PADDING_PX) / rows.length;
    ctx.font = `${Math.min(14, 0.62 * stepPx).toFixed(1)}px ${inks.font}`;
    ctx.textBaseline = "middle";
    rows.forEach((row, k) => {
      const y = PADDING_PX + (k + 0.5) * stepPx;
      ctx.fillStyle = inks.line;
      ctx.fillRect(0, Math.round(y + stepPx / 2), widthPx, 1);
      const places = /** @type {const} */ ([[0.02, "left", inks.ink], [0.16, "left", inks.soft], [0.66, "right", inks.ink], [0.98, "right", inks.leaf]]);
      places.forEach(([share, align, ink], column) => {
        ctx.textAlign = align;
        ctx.fillStyle = ink;
        ctx.fillText(row[column], share * widthPx, y);
      });
    });
  };
}

/** @param {Uint8Array} wasm @returns {Thumbnail} the first bytes of a module, its code in green */
function bytes(wasm) {
  return (ctx, widthPx, heightPx) => {
    const inks = readInks(ctx.canvas);
    const sizePx = 12;
    ctx.font = `${sizePx}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
    ctx.textBaseline = "top";
    const [acrossPx, downPx] = [ctx.measureText("00").width + 7, 1.55 * sizePx];
    const columns = Math.max(1, Math.floor((widthPx - PADDING_PX) / acrossPx));
    const rows = Math.max(1, Math.floor((heightPx - PADDING_PX) / downPx));
    const code = codeStart(wasm);
    for (let k = 0; k < Math.min(wasm.length, columns * rows); k++) {
      ctx.fillStyle = k < code ? inks.soft : inks.leaf;
      const text = wasm[k].toString(16).padStart(2, "0");
      ctx.fillText(text, PADDING_PX / 2 + (k % columns) * acrossPx, PADDING_PX + Math.floor(k / columns) * downPx);
    }
  };
}

/** @param {Uint8Array} wasm @returns {number} where its code section begins */
function codeStart(wasm) {
  const [header, code] = [8, 10];
  for (let at = header; at < wasm.length; ) {
    if (wasm[at] === code) return at;
    let size = 0;
    let shift = 0;
    do {
      at += 1;
      size |= (wasm[at] & 127) << shift;
      shift += 7;
    } while (wasm[at] > 127);
    at += 1 + size;
  }
  return wasm.length;
}
