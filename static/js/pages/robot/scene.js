// Paints the robot: ground, earlier and later poses, the head's path, springs by activation, masses, goal.

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("../../widgets/palette.js").Inks} RobotPalette */
/** @typedef {{kind: "mass" | "spring", index: number} | null} Selection */
/**
 * Everything that the picture of a robot shows.
 * @typedef {object} RobotScene
 * @property {Robot} robot
 * @property {Motion} motion
 * @property {number} step the time step to show
 * @property {boolean} editing true to show the robot enlarged, in its initial position
 * @property {boolean} poses true to draw earlier and later poses
 * @property {readonly number[]} ends for each iteration of a training, the x of the robot's head at the end of the walk
 * @property {Selection} selection the selected mass or spring, or null
 */

import { goalIn } from "./camera.js";

/** The path of the head is drawn as straight pieces. Each piece covers this many steps. */
const STRIDE = 3;
const POSES = 6;
/** The distance between two marks on the ground, in metres. */
const MARK = 0.1;
/** Every N-th mark has a label. We choose N from EVERY so that labels are at least LABEL_PX pixels apart. */
const EVERY = [1, 2, 5, 10, 20, 50];
const LABEL_PX = 36;
/** Marks show where the walks of a training ended. There are at most this many marks. */
const MOST_ENDS = 500;
/** The height of such a mark. */
const END_PX = 5;
const HEAD = 0;
const GOAL_PX = 13;
const ARROW_ANGLE = 0.35;

/** @param {Pen} pen @param {TableFrame} frame @param {RobotScene} scene @param {RobotPalette} palette @param {number} ground */
export function paintRobot(pen, frame, scene, palette, ground) {
  const { motion, step, editing, poses } = scene;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  paintGround(pen, frame, palette, ground);
  if (!editing) paintEnds(pen, frame, scene, palette, ground);
  if (!editing && poses) paintPoses(pen, frame, scene, palette);
  if (!editing) paintWay(pen, frame, motion, palette);
  if (!editing) paintGoal(pen, frame, scene.robot.goal, palette);
  paintSprings(pen, frame, scene, step, palette);
  paintMasses(pen, frame, scene, palette);
}

/** @param {Pen} pen @param {TableFrame} frame @param {RobotPalette} palette @param {number} ground */
function paintGround(pen, frame, palette, ground) {
  const [, y] = frame.toPx([0, ground]);
  const top = Math.round(y) + 3;
  pen.strokeStyle = palette.soft;
  pen.fillStyle = palette.soft;
  pen.lineWidth = 1.5;
  line(pen, 0, top, frame.widthPx, top);
  pen.font = `11px ${palette.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.lineWidth = 1;
  const [from] = frame.toMetres(0, 0);
  const [to] = frame.toMetres(frame.widthPx, 0);
  const every = EVERY.find((marks) => marks * MARK * frame.scale >= LABEL_PX) ?? EVERY[0];
  for (let k = Math.ceil(from / MARK); k <= Math.floor(to / MARK); k++) {
    if (k % every !== 0) continue;
    const [x] = frame.toPx([k * MARK, ground]);
    line(pen, x, top, x, top + 5);
    if (x > 14 && x < frame.widthPx - 14) pen.fillText((k * MARK).toFixed(1).replace("-", "\u2212"), x, top + 20);
  }
}

/** @param {Pen} pen @param {TableFrame} frame @param {RobotScene} scene @param {RobotPalette} palette @param {number} ground */
function paintEnds(pen, frame, { ends }, palette, ground) {
  const [, y] = frame.toPx([0, ground]);
  const top = Math.round(y) + 3;
  const every = Math.ceil(ends.length / MOST_ENDS);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.35;
  pen.beginPath();
  for (let k = 0; k < ends.length; k += every) {
    if (!Number.isFinite(ends[k])) continue;
    const [x] = frame.toPx([ends[k], ground]);
    pen.moveTo(x, top);
    pen.lineTo(x, top + END_PX);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {TableFrame} frame @param {RobotScene} scene @param {RobotPalette} palette */
function paintPoses(pen, frame, { robot, motion }, palette) {
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  for (let k = 0; k < POSES; k++) {
    const step = Math.round((motion.steps * k) / (POSES - 1));
    pen.globalAlpha = 0.09 + (0.12 * k) / POSES;
    pen.beginPath();
    for (const { a, b } of robot.springs) {
      const [x, y] = frame.toPx(motion.at(step, a));
      const [u, v] = frame.toPx(motion.at(step, b));
      if (!Number.isFinite(x + y + u + v)) continue;
      pen.moveTo(x, y);
      pen.lineTo(u, v);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {TableFrame} frame @param {Motion} motion @param {RobotPalette} palette */
function paintWay(pen, frame, motion, palette) {
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.25;
  pen.setLineDash([1, 4]);
  pen.beginPath();
  motion.path(HEAD, STRIDE).forEach((point, k) => {
    const [x, y] = frame.toPx(point);
    if (!Number.isFinite(x + y)) return;
    if (k === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  });
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {TableFrame} frame @param {Point} goal @param {RobotPalette} palette */
function paintGoal(pen, frame, goal, palette) {
  const { xPx: x, yPx: y, isBeyond } = goalIn(frame, goal);
  pen.strokeStyle = palette.rose;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, GOAL_PX, 0, 2 * Math.PI);
  pen.stroke();
  if (isBeyond) paintArrow(pen, [x, y], frame.toPx(goal));
  pen.fillStyle = palette.rose;
  pen.beginPath();
  pen.arc(x, y, 5, 0, 2 * Math.PI);
  pen.fill();
}

/** Paints the tip of an arrow near the edge of the picture. It points to a goal outside the picture.
 * @param {Pen} pen @param {readonly number[]} from @param {readonly number[]} to */
function paintArrow(pen, [x, y], [toX, toY]) {
  const angle = Math.atan2(toY - y, toX - x);
  pen.beginPath();
  [-ARROW_ANGLE, 0, ARROW_ANGLE].forEach((turn, k) => {
    const reach = k === 1 ? GOAL_PX + 6 : GOAL_PX + 1;
    const [px, py] = [x + reach * Math.cos(angle + turn), y + reach * Math.sin(angle + turn)];
    if (k === 0) pen.moveTo(px, py);
    else pen.lineTo(px, py);
  });
  pen.stroke();
}

/** @param {Pen} pen @param {TableFrame} frame @param {RobotScene} scene @param {number} step @param {RobotPalette} palette */
function paintSprings(pen, frame, scene, step, palette) {
  const { robot, motion, editing, selection } = scene;
  const size = Math.min(1.6, Math.max(0.7, frame.scale / 700));
  robot.springs.forEach(({ a, b, muscle }, k) => {
    const [x, y] = frame.toPx(placeOf(scene, a));
    const [u, v] = frame.toPx(placeOf(scene, b));
    if (!Number.isFinite(x + y + u + v)) return;
    if (editing && selection?.kind === "spring" && selection.index === k) {
      pen.strokeStyle = palette.rose;
      pen.lineWidth = (muscle ? 13 : 9) * size;
      pen.globalAlpha = 0.5;
      line(pen, x, y, u, v);
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = palette.soft;
    pen.lineWidth = 1.25 * size;
    if (muscle && editing) {
      pen.lineWidth = 4.25 * size;
    } else if (muscle) {
      const pull = motion.activation(step, k);
      pen.strokeStyle = mixed(pull < 0 ? palette.short : palette.long, palette.strong, Math.abs(pull));
      pen.lineWidth = (4.25 - 1.25 * pull) * size;
    }
    line(pen, x, y, u, v);
  });
}

/** @param {Pen} pen @param {TableFrame} frame @param {RobotScene} scene @param {RobotPalette} palette */
function paintMasses(pen, frame, scene, palette) {
  const { robot, editing, selection } = scene;
  const r = Math.min(editing ? 7 : 4.5, Math.max(2, frame.scale * 0.0075));
  for (let k = robot.masses.length - 1; k >= 0; k--) {
    const [x, y] = frame.toPx(placeOf(scene, k));
    if (!Number.isFinite(x + y)) continue;
    const isHead = k === HEAD;
    const isChosen = editing && selection?.kind === "mass" && selection.index === k;
    pen.fillStyle = editing ? palette.rose : isHead ? palette.ink : palette.raised;
    pen.strokeStyle = editing ? palette.paper : palette.ink;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.arc(x, y, isHead ? r * 1.5 : r, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    if (isHead && editing) paintCore(pen, x, y, r * 0.7, palette);
    if (!isChosen) continue;
    pen.strokeStyle = palette.rose;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, y, r + 6, 0, 2 * Math.PI);
    pen.stroke();
  }
}

/** Paints a dark dot in the middle of the head. In the editor, the dot distinguishes the head from the other masses.
 * @param {Pen} pen @param {number} x @param {number} y @param {number} r @param {RobotPalette} palette */
function paintCore(pen, x, y, r, palette) {
  pen.fillStyle = palette.ink;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
}

/** Returns the position of a mass at the shown step. In the editor, returns the initial position.
 * @param {RobotScene} scene @param {number} mass @returns {Point} */
function placeOf({ robot, motion, step, editing }, mass) {
  return editing ? robot.masses[mass] : motion.at(step, mass);
}

/** @param {string} strong @param {string} plain both #rrggbb @param {number} share of the strong one */
function mixed(strong, plain, share) {
  const [a, b] = [strong, plain].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  return `rgb(${a.map((value, k) => Math.round(b[k] + (value - b[k]) * share)).join(",")})`;
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} u @param {number} v */
function line(pen, x, y, u, v) {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u, v);
  pen.stroke();
}
