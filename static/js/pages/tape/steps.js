// The steps of a formula's tape: the order in which its numbers are computed, and the numbers known at each moment.

/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Contribution} Contribution */
/** @typedef {import("../../model/types.js").Mode} Mode */
/** @typedef {import("../../model/types.js").Operand} Operand */
/** @typedef {import("../../model/types.js").Place} Place */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").RowOperand} RowOperand */
/** @typedef {import("../../model/types.js").TapeArtifact} TapeArtifact */
/** @typedef {import("../../model/types.js").TapeDoc} TapeDoc */
/** @typedef {import("../../model/types.js").TapeNode} TapeNode */
/** @typedef {import("../../model/types.js").TapePreset} TapePreset */
/** @typedef {import("../../model/types.js").Tape} Tape */
/** @typedef {{kind: "inputs"} | {kind: "forward" | "seed" | "back", node: number}} Step */
/**
 * The numbers that are known after a step.
 * @typedef {object} Moment
 * @property {ReadonlySet<number>} values the nodes with a known value
 * @property {ReadonlyMap<number, number>} sums for each node with a cotangent, the number of contributions added so far
 * @property {Step} step the step that has just been made
 */

export const MODES = /** @type {const} */ (["values", "gradient", "tangents", "chunk"]);

/** @param {Tape} tape @param {Mode} mode @returns {Step[]} the first step gives the inputs */
export function stepsOf({ nodes, result }, mode) {
  const operations = nodes.flatMap(({ op }, node) => (op === "input" ? [] : [node]));
  /** @type {Step[]} */
  const steps = [{ kind: "inputs" }, ...operations.map((node) => /** @type {const} */ ({ kind: "forward", node }))];
  if (mode !== "gradient") return steps;
  const back = operations.filter((node) => nodes[node].cotangent !== null).reverse();
  return [...steps, { kind: "seed", node: result }, ...back.map((node) => /** @type {const} */ ({ kind: "back", node }))];
}

/** @param {Tape} tape @param {readonly Step[]} steps @param {number} at the number of steps done after the first
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
 * @returns {number} its cotangent so far */
export function sumOf({ nodes, result }, numbers, node, count) {
  if (count === 0) return node === result ? 1 : 0;
  return numberAt(numbers, nodes[node].contributions[count - 1].total);
}

/** @param {ArrayLike<number>} numbers @param {Place} place */
export function numberAt(numbers, place) {
  return place === null ? 0 : numbers[place];
}

/** Finds the edges that carry a number in a step. In a forward step, numbers move from the operands to the step's row. In a
 * backward step, numbers move from the step's row to its operands.
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

/** @param {TapeDoc} doc @param {"point" | "direction"} pair @param {0 | 1} axis @param {number} value @returns {TapeDoc} */
export function setNumber(doc, pair, axis, value) {
  const [a, b] = doc[pair];
  if (doc[pair][axis] === value) return doc;
  return { ...doc, [pair]: axis === 0 ? [value, b] : [a, value] };
}
