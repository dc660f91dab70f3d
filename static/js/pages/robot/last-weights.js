// Stores a robot's weights on this device when you leave the page, because weights do not fit into a link. Stores them together
// with the page's state. If you return to the same state, restores the weights.

/** @typedef {import("./weights.js").Shape} Shape */

import { fromFile } from "./weights.js";

const KEPT = "eglantine.last.1.robot.weights";

/** Stores weights, or removes stored weights of the same state. @param {string} fragment the state that you leave
 * @param {string | null} file its weights; null if a link suffices */
export function keepWeights(fragment, file) {
  try {
    if (file !== null) localStorage.setItem(KEPT, `${fragment}\n${file}`);
    else if (localStorage.getItem(KEPT)?.startsWith(`${fragment}\n`)) localStorage.removeItem(KEPT);
  } catch {
    // Without storage a robot begins untrained.
  }
}

/** @param {string} fragment the opened state @param {Shape} shape @returns {Float64Array | null} its weights, if kept */
export function weightsLeft(fragment, shape) {
  if (!isBack()) return null;
  let stored = null;
  try {
    stored = localStorage.getItem(KEPT);
  } catch {
    // Without storage there is nothing to restore.
  }
  if (stored === null || !stored.startsWith(`${fragment}\n`)) return null;
  const weights = fromFile(stored.slice(fragment.length + 1), shape);
  return typeof weights === "string" ? null : weights;
}

/** True if the page shows the state of the last visit instead of a link's state. */
function isBack() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return history.state?.isLast === true || visit?.type === "reload" || visit?.type === "back_forward";
}
