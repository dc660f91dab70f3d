// The texts of the section for Penrose's own programs, which loads when somebody opens it.

/** The names of our example trios. @type {Record<string, string>} */
export const TRIO_EXAMPLES = { sets: "Sets", graph: "Graph", vectors: "Vectors" };
export const OWN_TRIO = "Your own programs";
export const LOADING_PENROSE = "Loading Penrose …";
export const COMPILING_TRIO = "Penrose compiles the programs …";
export const TRIO_OF_LINK = "This link contains Penrose programs. Press “Lay out” to compile them.";
export const TRIO_STOPPED = "Stopped. The diagram stays as it was.";
export const TRIO_SLOW = "The programs took longer than 30 seconds, so they were stopped. Make the diagram smaller, and try again.";
export const TRIO_DIED = "Penrose ended without a result. Change the programs, and try again.";
export const NO_DOMAIN = "Type or drop a domain, a substance and a style. All three are needed.";
/** @param {string} name of a dropped file */
export const noTrioFile = (name) => `${name} is not a Penrose program. Drop files that end in .domain, .substance and .style.`;
/** The rows of the comparison. `weight`: how much constraints count, in words. */
export const trioRows = (/** @type {string} */ weight) => ({
  compile: "Compiling", layout: "Layout", energy: `Energy (constraints count ${weight} times)`, worst: "Worst missed constraint", drag: "Shapes you can drag",
});
/** @param {string} ms */
export const milliseconds = (ms) => `${ms}\u00a0ms`;
/** @param {string} ms */
export const afterPenrose = (ms) => `${ms}\u00a0ms, after Penrose`;
/** @param {number} count @param {number} all */
export const outOf = (count, all) => `${count} of ${all}`;
/** @param {boolean} isOptimised whether Penrose's optimiser came to its end */
export const trioCompared = (isOptimised) =>
  `Both optimisers minimise the same energy from the same random numbers. ${isOptimised ? "" : "Penrose’s optimiser was stopped after 8 seconds. "}Penrose lets you drag shapes whose place is an input. Here you can also drag shapes whose place is computed.`;
