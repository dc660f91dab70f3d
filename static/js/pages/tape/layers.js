// Chooses positions for the nodes of a graph without cycles. The nodes form layers. The layer of a node directly follows the
// last layer that contains one of the node's operands. An edge that crosses a layer also takes a place in this layer. Then we
// sort each layer several times, so that each node comes near the mean position of its neighbours in the layer before or after
// it.

/** A position in the graph. `at`: the number of places from the middle of the layer.
 * @typedef {{layer: number, at: number}} Spot */
/** The course of an edge from node `from` to node `to`, which uses it as an operand. `operand`: the operand's index. `through`:
 * the positions on the way, including those of both nodes.
 * @typedef {{from: number, to: number, operand: number, through: Spot[]}} Route */
/** The positions of a graph's nodes and edges. `layers`: the number of layers. `most`: the number of places in the fullest
 * layer.
 * @typedef {{spots: Spot[], routes: Route[], layers: number, most: number}} Layers */

const ROUNDS = 8;

/** A node, or the place that an edge takes in a layer. `above` and `below`: its neighbours in the layers before and after it.
 * @typedef {{layer: number, order: number, above: Item[], below: Item[]}} Item */

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

/** Divides an edge of the graph into pieces. Each piece joins two neighbouring layers. Adds an item to `items` for each layer
 * that the edge crosses, and links the items along the edge. Returns these items, from `from` to `to`.
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
