// Weights that a link cannot hold, kept on this device while the page is away: they belong to the state it was left in.

/** @typedef {import("./weights.js").Shape} Shape */

import { fromFile } from "./weights.js";

const KEPT = "eglantine.last.1.robot.weights";

/** @param {string} fragment the state that is left @param {string | null} file with its weights; null where a link holds all */
export function keepWeights(fragment, file) {
  try {
    if (file === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, `${fragment}\n${file}`);
  } catch {
    // Without storage a robot begins untrained.
  }
}

/** @param {string} fragment the state that is opened @param {Shape} shape @returns {Float64Array | null} the weights it was left with */
export function weightsLeft(fragment, shape) {
  if (!isBack()) return null;
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // Without storage nothing is kept.
  }
  if (kept === null || !kept.startsWith(`${fragment}\n`)) return null;
  const weights = fromFile(kept.slice(fragment.length + 1), shape);
  return typeof weights === "string" ? null : weights;
}

/** Whether the page is opened where it was left, and not by a link. */
function isBack() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return history.state?.isLast === true || visit?.type === "reload" || visit?.type === "back_forward";
}
