// Adds a description of the formula to its module, and reads it back. The description is in a custom section, which engines skip.

/** @typedef {import("../model/types.js").Abi} Abi */
/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Param} Param */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Region} Region */
/** A plot's description, which is stored in a section of the plot's module. `variables`: 1 if the plot is a curve, where y is
 * always 0. A surface has no `variables`.
 * @typedef {{version: 1, abi: Abi, text: string, params: readonly Param[], region: Region, point: Point, variables?: 1}} Description */

const SECTION = "eglantine";
const VERSION = 1;
const CUSTOM = 0;
/** Matches the function names that contain the letter y, because their y is not the variable y. */
const WITH_Y = /\b(hypot|polygamma)\b/g;

/** @param {Artifact} artifact @param {Doc} doc with which the plot begins @returns {Uint8Array<ArrayBuffer>} */
export function pack({ wasm, abi, text }, { params, region, point }) {
  /** @type {Description} */
  const description = isCurve(text)
    ? { version: VERSION, abi, text, params, region: [region[0], region[1], -1, 1], point: [point[0], 0], variables: 1 }
    : { version: VERSION, abi, text, params, region, point };
  const encoder = new TextEncoder();
  const name = encoder.encode(SECTION);
  const content = encoder.encode(JSON.stringify(description));
  const size = leb128(1 + name.length + content.length);
  return Uint8Array.from([...wasm, CUSTOM, ...size, name.length, ...name, ...content]);
}

/** @param {string} formula @returns {boolean} whether the formula does not contain y */
export function isCurve(formula) {
  return !formula.replaceAll(WITH_Y, "").includes("y");
}

/** @param {WebAssembly.Module} module @returns {Description | null} null if it has no description, or one of another version */
export function unpack(module) {
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  if (section === undefined) return null;
  const description = JSON.parse(new TextDecoder().decode(section));
  return description.version === VERSION ? description : null;
}

/** @param {number} value @returns {number[]} in unsigned LEB128 */
function leb128(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}
