// Paints the table: field, traces, collisions, balls, arrows and goal.

/** @typedef {import("./paths.js").Paths} Paths */
/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").ShotJet} ShotJet */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("./field.js").Field} Field */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("../../widgets/palette.js").Inks} TablePalette */
/**
 * Everything that the picture of a table shows.
 * @typedef {object} TableScene
 * @property {Table} table
 * @property {Paths} paths - the paths of the balls
 * @property {ShotJet} jet - the loss of the shot and its derivatives
 * @property {number} step - the time step to show
 * @property {Field | null} field - for a grid of positions of the cue ball, the loss and the gradient
 * @property {boolean} [isOld] - true if the field was computed before the last change of the task or the velocity
 * @property {"none" | "loss" | "gradient"} show - the part of the field to show
 * @property {boolean} traces - true to show the paths
 * @property {readonly (readonly Point[])[]} ghosts - the target ball's paths in earlier iterations of the descent
 */

import { COLUMNS, ROWS } from "./field.js";
import { placeOf } from "./table.js";

export { readInks as readTablePalette } from "../../widgets/palette.js";

/** The radius of the goal's ring, in radii of a ball. */
export const GOAL_RADII = 1.25;
/** The arrow of a gradient is always shorter than this, in metres. It has half this length if the gradient's length is
 * HALF_SLOPE. */
const LONGEST_ARROW = 0.16;
const HALF_SLOPE = 0.6;
const HEAD_PX = 7;
/** The largest opacity of a cell of the field. Let m be the loss of a shot that does not move the target ball. The opacity is 0
 * for a loss of at least m, and DARKEST for a loss of at most m / 10 ** POWERS. */
const DARKEST = 0.75;
const POWERS = 3;
/** An outdated field is painted with this share of its usual opacity. */
const OLD = 0.3;
/** A path is drawn as straight pieces. Each piece covers this many steps, but ends early at a collision. */
const STRIDE = 4;

/** @param {Pen} pen @param {TableFrame} frame @param {TableScene} scene @param {TablePalette} palette
 * @param {Beginning} beginning */
export function paintTable(pen, frame, scene, palette, beginning) {
  const { radius, cushions } = beginning;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  if (scene.field !== null && scene.show !== "none") {
    const { table, paths } = scene;
    const [x, y] = paths.start[table.target];
    const missed = (x - table.goal[0]) ** 2 + (y - table.goal[1]) ** 2;
    paintField(pen, frame, scene.field, scene.show, palette, missed, scene.isOld ? OLD : 1);
  }
  paintEdge(pen, frame, cushions, scene.table.settings.cushions, palette);
  if (scene.traces) paintTraces(pen, frame, scene, palette);
  paintMiss(pen, frame, scene, radius, palette);
  paintGoal(pen, frame, scene.table.goal, radius, palette);
  paintBalls(pen, frame, scene, palette, radius);
  paintArrows(pen, frame, scene, palette);
}

/** Paints the loss of each cell of the field as a shade and, if `show` is "gradient", the descent's direction as an arrow.
 * @param {Pen} pen @param {TableFrame} frame @param {Field} field @param {"loss" | "gradient"} show
 * @param {TablePalette} palette
 * @param {number} missed the loss of a shot that does not move the target ball
 * @param {number} strength a factor for the opacity */
function paintField(pen, frame, field, show, palette, missed, strength) {
  const { area: [x0, x1, y0, y1], losses, slopes } = field;
  const [columns, rows] = [COLUMNS, ROWS];
  const [left, top] = frame.toPx([x0, y1]);
  const width = ((x1 - x0) * frame.scale) / columns;
  const height = ((y1 - y0) * frame.scale) / rows;
  pen.save();
  pen.fillStyle = palette.shade;
  for (let cell = 0; cell < columns * rows; cell++) {
    if (Number.isNaN(losses[cell])) continue;
    const share = Math.log10(missed / losses[cell]) / POWERS;
    pen.globalAlpha = strength * DARKEST * Math.min(1, Math.max(0, share));
    // Squares begin and end at whole pixels, so that no seams show between them.
    const column = cell % columns;
    const row = rows - 1 - Math.floor(cell / columns);
    const [x, y] = [Math.round(left + column * width), Math.round(top + row * height)];
    pen.fillRect(x, y, Math.round(left + (column + 1) * width) - x, Math.round(top + (row + 1) * height) - y);
  }
  pen.globalAlpha = strength;
  pen.strokeStyle = palette.leaf;
  pen.fillStyle = palette.leaf;
  pen.lineWidth = 1;
  for (let cell = 0; show === "gradient" && cell < columns * rows; cell++) {
    const [sx, sy] = [slopes[2 * cell], slopes[2 * cell + 1]];
    const size = Math.hypot(sx, sy);
    if (!(size > 0) || !Number.isFinite(size)) continue;
    const long = (0.9 * Math.min(width, height) * size) / (size + HALF_SLOPE);
    const x = left + ((cell % columns) + 0.5) * width;
    const y = top + (rows - 0.5 - Math.floor(cell / columns)) * height;
    const [dx, dy] = [(-sx / size) * long * 0.5, (sy / size) * long * 0.5];
    arrow(pen, x - dx, y - dy, x + dx, y + dy, 3);
  }
  pen.restore();
}

/** @param {Pen} pen @param {TableFrame} frame @param {readonly number[]} area @param {boolean} walls
 * @param {TablePalette} palette */
function paintEdge(pen, frame, [x0, x1, y0, y1], walls, palette) {
  const [left, top] = frame.toPx([x0, y1]);
  pen.strokeStyle = walls ? palette.ink : palette.line;
  pen.lineWidth = walls ? 3 : 1;
  const out = walls ? 1.5 : 0;
  pen.strokeRect(left - out, top - out, (x1 - x0) * frame.scale + 2 * out, (y1 - y0) * frame.scale + 2 * out);
}

/** @param {Pen} pen @param {TableFrame} frame @param {TableScene} scene @param {TablePalette} palette */
function paintTraces(pen, frame, { paths, table, ghosts }, palette) {
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  ghosts.forEach((ghost, k) => {
    pen.globalAlpha = (0.3 * (k + 1)) / ghosts.length;
    polyline(pen, frame, ghost);
  });
  pen.globalAlpha = 1;
  for (let ball = 0; ball < paths.balls; ball++) {
    if (!paths.moves(ball)) continue;
    const isMain = ball === table.target || ball === 0;
    pen.strokeStyle = ball === table.target ? palette.ink : isMain ? palette.soft : palette.strong;
    pen.lineWidth = ball === table.target ? 2 : 1.25;
    polyline(pen, frame, pathOf(paths, ball));
  }
  pen.fillStyle = palette.soft;
  for (const { at } of paths.hits) {
    const [x, y] = frame.toPx(at);
    pen.beginPath();
    pen.arc(x, y, 2, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** Paints a dotted line from the target ball's last place to the goal. The square of this distance is the loss. Paints nothing
 * if the ball has reached the goal.
 * @param {Pen} pen @param {TableFrame} frame @param {TableScene} scene @param {number} radius @param {TablePalette} palette */
function paintMiss(pen, frame, { paths, table: { goal, target } }, radius, palette) {
  const [x, y] = frame.toPx(paths.at(paths.steps, target));
  const [u, v] = frame.toPx(goal);
  if (!(Math.hypot(u - x, v - y) > GOAL_RADII * radius * frame.scale) || !Number.isFinite(x + y)) return;
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.setLineDash([0.1, 6]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u, v);
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Paths} paths @param {number} ball @returns {Point[]} the ball's path, with a corner at each hit */
export function pathOf(paths, ball) {
  const corners = new Set(paths.hits.filter((hit) => hit.ball === ball).map((hit) => hit.step));
  const points = [];
  for (let step = 0; step <= paths.steps; step++) {
    if (step % STRIDE === 0 || step === paths.steps || corners.has(step)) points.push(paths.at(step, ball));
  }
  return points;
}

/** @param {Pen} pen @param {TableFrame} frame @param {readonly Point[]} points */
function polyline(pen, frame, points) {
  pen.beginPath();
  points.forEach((point, k) => {
    const [x, y] = frame.toPx(point);
    if (k === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  });
  pen.stroke();
}

/** @param {Pen} pen @param {TableFrame} frame @param {Point} goal @param {number} radius @param {TablePalette} palette */
function paintGoal(pen, frame, goal, radius, palette) {
  const [x, y] = frame.toPx(goal);
  pen.strokeStyle = palette.rose;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, GOAL_RADII * radius * frame.scale, 0, 2 * Math.PI);
  pen.stroke();
  dot(pen, x, y, palette);
}

/** @param {Pen} pen @param {TableFrame} frame @param {TableScene} scene @param {TablePalette} palette @param {number} radius */
function paintBalls(pen, frame, { paths, table, step, traces }, palette, radius) {
  const r = radius * frame.scale;
  const ring = (/** @type {Point} */ at) => {
    const [x, y] = frame.toPx(at);
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.stroke();
  };
  for (let ball = 0; ball < paths.balls; ball++) {
    if (!paths.moves(ball)) continue;
    pen.strokeStyle = ball === table.target ? palette.ink : palette.strong;
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    if (traces && step < paths.steps) ring(paths.at(paths.steps, ball));
    if (step > 0) ring(paths.start[ball]);
    pen.setLineDash([]);
  }
  pen.font = `${Math.max(8, Math.min(13, r * 0.95)).toFixed(1)}px ${palette.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let ball = paths.balls - 1; ball >= 0; ball--) {
    const isTarget = ball === table.target;
    pen.fillStyle = isTarget ? palette.ink : palette.raised;
    pen.strokeStyle = ball === 0 ? palette.ink : palette.soft;
    pen.lineWidth = ball === 0 ? 2 : 1.25;
    const [x, y] = frame.toPx(paths.at(step, ball));
    if (!Number.isFinite(x + y)) continue;
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.fillStyle = isTarget ? palette.paper : palette.soft;
    if (ball > 0) pen.fillText(String(ball), x, y);
  }
}

/** @param {Pen} pen @param {TableFrame} frame @param {TableScene} scene @param {TablePalette} palette */
function paintArrows(pen, frame, { table, jet }, palette) {
  const [x, y] = frame.toPx(table.cue.x);
  const [u, v] = frame.toPx(placeOf(table, "tip"));
  pen.strokeStyle = palette.ink;
  pen.fillStyle = palette.ink;
  pen.lineWidth = 2;
  arrow(pen, x, y, u, v, 0);
  const downhill = (/** @type {Point} */ slope, /** @type {number} */ fromX, /** @type {number} */ fromY) => {
    const size = Math.hypot(...slope);
    if (!(size > 0) || !Number.isFinite(size)) return;
    const long = (LONGEST_ARROW * frame.scale) / (size + HALF_SLOPE);
    pen.strokeStyle = palette.leaf;
    pen.fillStyle = palette.leaf;
    pen.lineWidth = 2.5;
    arrow(pen, fromX, fromY, fromX - slope[0] * long, fromY + slope[1] * long, HEAD_PX);
  };
  downhill(jet.x, x, y);
  downhill(jet.v, u, v);
  dot(pen, x, y, palette);
  dot(pen, u, v, palette);
}

/** Paints the filled dot of a grip. @param {Pen} pen @param {number} x @param {number} y @param {TablePalette} palette */
function dot(pen, x, y, palette) {
  pen.fillStyle = palette.rose;
  pen.strokeStyle = palette.paper;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, 5, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} u @param {number} v @param {number} headPx 0: none */
function arrow(pen, x, y, u, v, headPx) {
  const length = Math.hypot(u - x, v - y);
  if (length < 0.5) return;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u, v);
  pen.stroke();
  if (headPx === 0) return;
  const head = Math.min(headPx, length);
  const [dx, dy] = [((u - x) / length) * head, ((v - y) / length) * head];
  pen.beginPath();
  pen.moveTo(u + dx * 0.3, v + dy * 0.3);
  pen.lineTo(u - dx - dy * 0.55, v - dy + dx * 0.55);
  pen.lineTo(u - dx + dy * 0.55, v - dy - dx * 0.55);
  pen.closePath();
  pen.fill();
}
