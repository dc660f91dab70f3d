// The sentences and words that the scripts of the page Sparse show.

import { BAD_NUMBER, DAMAGED, OTHER_VERSION, TOO_LONG } from "../../texts.js";

export * from "../../texts.js";

export const NO_NET = "The net could not be loaded. Reload the page.";
export const NODE_KEYS = "Arrow keys pull the node. Home lets go. Delete cuts its springs.";
/** @param {number} row @param {number} column from 1 @param {string} x @param {string} y */
export const nodePlace = (row, column, x, y) => `Node in row ${row}, column ${column}, at ${x}, ${y}.`;
/** @param {number} group from 1 @param {number} groups @param {number} columns how many columns are in the group */
export const groupOf = (group, groups, columns) => `Group ${group} of ${groups}: ${columns} columns share one direction.`;
/** @param {number} steps */
export const netRests = (steps) => (steps === 1 ? "At rest after one step." : `At rest after ${steps} steps.`);
export const NET_MOVES = "The net is settling …";
/** @param {string} bytes @param {string | null} ms */
export const netCost = (bytes, ms) => `one step is ${bytes} of WebAssembly, compiled beforehand${ms === null ? "" : `; 95 of 100 frames took at most ${ms}\u00a0ms of work`}`;
export const NET_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
};
