// Lays out a graph without cycles in layers. Each node is one layer after its last operand. An edge across several layers takes
// a place in each of them. Then each layer is sorted, for a few rounds, by the centres of its nodes' neighbours.

/** @typedef {{layer: number, at: number}} Spot `at` counts places from the middle of the layer */
/** @typedef {{from: number, to: number, operand: number, through: Spot[]}} Route from operand to user, inclusive */
/** @typedef {{spots: Spot[], routes: Route[], layers: number, most: number}} Layers `most`: places in the fullest layer */

const ROUNDS = 8;

/** A node, or an edge's place in a layer. @typedef {{layer: number, order: number, above: Item[], below: Item[]}} Item */

/** @param {readonly (readonly (number | null)[])[]} operands the nodes of each node's operands, in order; null for a constant
 * @returns {Layers} */
export function layersOf(operands) {
  const items = nodesInLayers(operands);
  const nodes = items.slice();
  /** @type {{from: number, to: number, operand: number, items: Item[]}[]} */
  const chains = [];
  operands.forEach((needs, to) =>
    needs.forEach((from, operand) => {
      if (from !== null) chains.push({ from, to, operand, items: chainOf(nodes[from], nodes[to], items) });
    }),
  );
  const count = 1 + Math.max(...items.map(({ layer }) => layer));
  const layers = Array.from({ length: count }, (_, layer) => items.filter((item) => item.layer === layer));
  for (let round = 0; round < ROUNDS; round++) sortOnce(layers, round % 2 === 0);
  const spotOf = (/** @type {Item} */ item) => ({ layer: item.layer, at: item.order - (layers[item.layer].length - 1) / 2 });
  return {
    spots: nodes.map(spotOf),
    routes: chains.map(({ from, to, operand, items: passed }) => ({ from, to, operand, through: passed.map(spotOf) })),
    layers: count,
    most: Math.max(...layers.map((layer) => layer.length)),
  };
}

/** @param {readonly (readonly (number | null)[])[]} operands @returns {Item[]} */
function nodesInLayers(operands) {
  /** @type {Item[]} */
  const nodes = [];
  for (const needs of operands) {
    const depths = needs.map((from) => (from === null ? -1 : nodes[from].layer));
    nodes.push({ layer: 1 + Math.max(-1, ...depths), order: nodes.length, above: [], below: [] });
  }
  return nodes;
}

/** Divides an edge of the graph into pieces between neighbouring layers. Adds an item to `items` for each layer between the
 * ends, and links neighbouring items. Returns all items along the edge.
 * @param {Item} from @param {Item} to @param {Item[]} items @returns {Item[]} */
function chainOf(from, to, items) {
  const chain = [from];
  for (let layer = from.layer + 1; layer < to.layer; layer++) {
    const item = { layer, order: items.length, above: [], below: [] };
    items.push(item);
    chain.push(item);
  }
  chain.push(to);
  for (let k = 1; k < chain.length; k++) {
    chain[k].above.push(chain[k - 1]);
    chain[k - 1].below.push(chain[k]);
  }
  return chain;
}

/** @param {Item[][]} layers @param {boolean} isForward */
function sortOnce(layers, isForward) {
  for (const layer of isForward ? layers : layers.slice().reverse()) {
    const centres = new Map(layer.map((item) => [item, middle(isForward ? item.above : item.below, layers) ?? place(item, layers)]));
    layer.sort((a, b) => /** @type {number} */ (centres.get(a)) - /** @type {number} */ (centres.get(b)));
    layer.forEach((item, order) => {
      item.order = order;
    });
  }
}

/** @param {readonly Item[]} neighbours @param {Item[][]} layers @returns {number | null} */
function middle(neighbours, layers) {
  if (neighbours.length === 0) return null;
  return neighbours.reduce((sum, item) => sum + place(item, layers), 0) / neighbours.length;
}

/** @param {Item} item @param {Item[][]} layers @returns {number} places from the middle of its layer */
function place(item, layers) {
  return item.order - (layers[item.layer].length - 1) / 2;
}
