// Paints the net, and the places of the entries of its Hessian.

/** @typedef {import("../../model/metre-frame.js").TableFrame} TableFrame */
/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** @typedef {import("../../widgets/palette.js").Inks} Inks */
/** @typedef {import("../../widgets/svg-pen.js").Pen} Pen */
/** @typedef {import("./doc.js").NetDoc} NetDoc */
/** What the pictures of the net and its Hessian show. `x`: the coordinates of the nodes. `group`: the group of columns of the
 * Hessian to highlight. @typedef {{beginning: NetBeginning, doc: NetDoc, x: ArrayLike<number>, group: number}} NetScene */

const ANCHOR_PX = 3.5;
const NODE_PX = 6;
const LEAST_PX = 1;

/** @param {Pen} pen @param {TableFrame} frame @param {NetScene} scene @param {Inks} palette */
export function paintNet(pen, frame, { beginning, doc, x }, palette) {
  const { springs, anchors, floor, side } = beginning;
  const place = (/** @type {number} */ node) => frame.toPx([x[2 * node], x[2 * node + 1]]);
  pen.lineWidth = 1;
  pen.strokeStyle = palette.strong;
  pen.beginPath();
  pen.moveTo(...frame.toPx([-side, floor]));
  pen.lineTo(...frame.toPx([2 * side, floor]));
  pen.stroke();
  const cuts = new Set(doc.cuts);
  pen.strokeStyle = palette.soft;
  pen.beginPath();
  springs.forEach(([a, b], k) => {
    if (cuts.has(k)) return;
    pen.moveTo(...place(a));
    pen.lineTo(...place(b));
  });
  pen.stroke();
  pen.fillStyle = palette.ink;
  for (const node of anchors) dot(pen, place(node), ANCHOR_PX);
  if (doc.at !== null) {
    pen.strokeStyle = palette.rose;
    pen.beginPath();
    pen.moveTo(...place(doc.node));
    pen.lineTo(...frame.toPx(doc.at));
    pen.stroke();
  }
  pen.fillStyle = palette.rose;
  dot(pen, place(doc.node), NODE_PX);
}

/** @param {Pen} pen @param {readonly [number, number]} at @param {number} radius */
function dot(pen, [x, y], radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** Paints the Hessian as a matrix with a dot for each nonzero entry.
 * @param {Pen} pen @param {TableFrame} frame @param {NetScene} scene @param {Inks} palette */
export function paintPattern(pen, frame, { beginning: { rows, cols, groups, flat, springs }, doc, group }, palette) {
  const n = flat.length;
  const gone = new Set(doc.cuts.flatMap((k) => [springs[k], [springs[k][1], springs[k][0]]]).map(([a, b]) => a * n + b));
  const size = Math.max(LEAST_PX, frame.scale);
  const [left, top] = frame.toPx([0, 0]);
  pen.lineWidth = 1;
  pen.strokeStyle = palette.line;
  pen.strokeRect(left, top, n * frame.scale, n * frame.scale);
  const isGone = (/** @type {number} */ k) => gone.has((rows[k] >> 1) * n + (cols[k] >> 1));
  /** @type {[string, (k: number) => boolean][]} */
  const layers = [
    [palette.line, (k) => isGone(k)],
    [palette.soft, (k) => !isGone(k) && groups[cols[k]] !== group],
    [palette.leaf, (k) => !isGone(k) && groups[cols[k]] === group],
  ];
  for (const [colour, belongs] of layers) {
    pen.fillStyle = colour;
    rows.forEach((row, k) => {
      if (belongs(k)) pen.fillRect(left + cols[k] * frame.scale, top + row * frame.scale, size, size);
    });
  }
}
