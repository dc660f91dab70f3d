// A net with its cut springs and the node that you hold, and all changes to it, as pure functions from document to document.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** The state that undo, redo and a link restore. `cuts`: the numbers of the cut springs, in ascending order. `node`: the chosen
 * node. `at`: the place to which the visitor pulls the chosen node, or null if nothing pulls the node.
 * @typedef {{cuts: readonly number[], node: number, at: Point | null}} NetDoc */

/** @param {NetBeginning} beginning @returns {NetDoc} with the node in the middle chosen */
export function firstNet({ side }) {
  return { cuts: [], node: Math.floor((side * side) / 2), at: null };
}

/** @param {NetDoc} doc @param {number} node @returns {NetDoc} */
export function choose(doc, node) {
  return node === doc.node ? doc : { ...doc, node, at: null };
}

/** @param {NetDoc} doc @param {Point | null} at @returns {NetDoc} */
export function pull(doc, at) {
  return at === doc.at ? doc : { ...doc, at };
}

/** @param {NetDoc} doc @param {readonly number[]} springs @returns {NetDoc} */
export function cut(doc, springs) {
  const before = new Set(doc.cuts);
  const all = new Set([...doc.cuts, ...springs]);
  return all.size === before.size ? doc : { ...doc, cuts: [...all].sort((a, b) => a - b) };
}

/** @param {NetDoc} doc @returns {NetDoc} */
export function mend(doc) {
  return doc.cuts.length === 0 ? doc : { ...doc, cuts: [] };
}

/** @param {NetBeginning} beginning @param {number} node @returns {number[]} the springs at a node */
export function springsAt({ springs }, node) {
  return springs.flatMap((ends, k) => (ends.includes(node) ? [k] : []));
}

/** @param {NetBeginning} beginning @param {ArrayLike<number>} x the nodes' coordinates @param {Point} from @param {Point} to
 * @returns {number[]} the springs that a stroke crosses */
export function crossed({ springs }, x, from, to) {
  const side = (/** @type {readonly number[]} */ p, /** @type {readonly number[]} */ q, /** @type {readonly number[]} */ r) =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return springs.flatMap(([a, b], k) => {
    const p = [x[2 * a], x[2 * a + 1]];
    const q = [x[2 * b], x[2 * b + 1]];
    return side(p, q, from) !== side(p, q, to) && side(from, to, p) !== side(from, to, q) ? [k] : [];
  });
}
