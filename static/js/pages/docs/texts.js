// The sentences and words that the scripts of the page Docs show.

export * from "../../texts.js";

/** Why a block of the documentation has no result. */
export const BLOCK_LOST = {
  slow: "Stopped, because it took too long.",
  loading: "Stopped, because loading took too long.",
  died: "Python crashed. Press Run to try again.",
  stopped: "Stopped.",
};
export const RAN_INTO_ERROR = "Ran into an error.";
export const SAME_OUTPUT = "The output is the one shown.";
/** @param {number} ms */
export const ranHere = (ms) => `Ran in this page in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms.`;
export const NO_INDEX = "The search did not load. Type again to retry.";
/** @param {string} query */
export const nothingFound = (query) => `No section has all words of “${query}”.`;
/** @param {number} count */
export const sectionsFound = (count) => (count === 1 ? "One section" : `${count} sections`);
