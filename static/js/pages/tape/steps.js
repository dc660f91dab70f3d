// A formula's tape: which numbers there are, in what order they come about, and what is known at each moment.

/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** The place of a number among those the module computes; null for one that is always 0. @typedef {number | null} Place */
/** Another row, with this one's slope by it and what its tangent adds to this one's.
 * @typedef {{node: number, slope: Place, slopeTex: string | null, share: Place}} RowOperand */
/** @typedef {{number: number | string, tex: string} | RowOperand} Operand */
/** What one user adds to a cotangent, and the sum from then on.
 * @typedef {{user: number, operand: number, term: Place, total: Place}} Contribution */
/**
 * An input or an operation, as app/tape/tape.py says.
 * @typedef {object} TapeNode
 * @property {string} name
 * @property {string} op
 * @property {number | null} power
 * @property {string | null} tex
 * @property {readonly Operand[]} operands
 * @property {Place} value
 * @property {Place} tangent
 * @property {Place} cotangent
 * @property {readonly Contribution[]} contributions
 */
/** @typedef {{nodes: readonly TapeNode[], result: number}} Tape */
/** @typedef {Artifact & Tape} TapeArtifact */
/** "values" goes forward; "gradient" forward, then back; "tangents" forward with a direction.
 * @typedef {"values" | "gradient" | "tangents"} Mode */
/** What undo, redo and a shared link restore.
 * @typedef {{presetId: string, text: string, point: Point, direction: Point, mode: Mode}} TapeDoc */
/** @typedef {{title: string, note: string, doc: TapeDoc, artifact: TapeArtifact}} TapePreset */
/** @typedef {{kind: "inputs"} | {kind: "forward" | "seed" | "back", node: number}} Step */
/**
 * What is known at a moment.
 * @typedef {object} Moment
 * @property {ReadonlySet<number>} values nodes
 * @property {ReadonlyMap<number, number>} sums for nodes that have a cotangent, how many contributions are in it
 * @property {Step} step the one just done
 */

export const MODES = /** @type {const} */ (["values", "gradient", "tangents"]);

/** @param {Tape} tape @param {Mode} mode @returns {Step[]} the first tells the inputs */
export function stepsOf({ nodes, result }, mode) {
  const operations = nodes.flatMap(({ op }, node) => (op === "input" ? [] : [node]));
  /** @type {Step[]} */
  const steps = [{ kind: "inputs" }, ...operations.map((node) => /** @type {const} */ ({ kind: "forward", node }))];
  if (mode !== "gradient") return steps;
  const back = operations.filter((node) => nodes[node].cotangent !== null).reverse();
  return [...steps, { kind: "seed", node: result }, ...back.map((node) => /** @type {const} */ ({ kind: "back", node }))];
}

/** @param {Tape} tape @param {readonly Step[]} steps @param {number} at how many of them after the first are done
 * @returns {Moment} */
export function momentOf({ nodes, result }, steps, at) {
  const done = steps.slice(0, at + 1);
  const values = new Set(nodes.flatMap(({ op }, node) => (op === "input" ? [node] : [])));
  const passed = new Set();
  let isSeeded = false;
  for (const step of done) {
    if (step.kind === "forward") values.add(step.node);
    if (step.kind === "seed") isSeeded = true;
    if (step.kind === "back") passed.add(step.node);
  }
  /** @type {Map<number, number>} */
  const sums = new Map();
  if (isSeeded) sums.set(result, 0);
  nodes.forEach(({ contributions }, node) => {
    const count = contributions.filter(({ user }) => passed.has(user)).length;
    if (count > 0) sums.set(node, count);
  });
  return { values, sums, step: done[done.length - 1] };
}

/** @param {Tape} tape @param {ArrayLike<number>} numbers @param {number} node @param {number} count of its contributions
 * @returns {number} its cotangent as far as it goes */
export function sumOf({ nodes, result }, numbers, node, count) {
  if (count === 0) return node === result ? 1 : 0;
  return numberAt(numbers, nodes[node].contributions[count - 1].total);
}

/** @param {ArrayLike<number>} numbers @param {Place} place */
export function numberAt(numbers, place) {
  return place === null ? 0 : numbers[place];
}

/** The edges that a step uses: from an operand to its user going forward, the other way going back.
 * @param {Tape} tape @param {Step} step @returns {{from: number, to: number, operand: number}[]} */
export function edgesOf({ nodes }, step) {
  if (step.kind === "inputs" || step.kind === "seed") return [];
  return nodes[step.node].operands.flatMap((operand, k) => {
    if (!("node" in operand)) return [];
    const isUsed = step.kind === "forward" || nodes[operand.node].contributions.some(({ user, operand: place }) => user === step.node && place === k);
    if (!isUsed) return [];
    return [step.kind === "forward" ? { from: operand.node, to: step.node, operand: k } : { from: step.node, to: operand.node, operand: k }];
  });
}

/** @param {TapeDoc} doc @param {"point" | "direction"} what @param {0 | 1} axis @param {number} value @returns {TapeDoc} */
export function setNumber(doc, what, axis, value) {
  const [a, b] = doc[what];
  if (doc[what][axis] === value) return doc;
  return { ...doc, [what]: axis === 0 ? [value, b] : [a, value] };
}
