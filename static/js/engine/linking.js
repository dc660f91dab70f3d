// Links a module to functions of JavaScript that it calls by address. Arguments and results are copied out of its memory and back.

/** @typedef {import("../model/types.js").AbiType} AbiType */
/** @typedef {import("../model/types.js").Module} Module */
/** @typedef {import("./kernel.js").Kernel} Kernel */
/** A function of JavaScript. It takes Vecs of Reals and returns the leaves of its result.
 * @typedef {(...args: Float64Array[]) => readonly Float64Array[]} Called */

import { instantiate } from "./kernel.js";

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** @param {Module} module @param {Readonly<Record<string, Called>>} functions by the labels of the module's host functions
 * @returns {Kernel} */
export function linked({ wasm, abi }, functions) {
  return instantiate(wasm, abi, (memory) => Object.fromEntries(abi.imports.map(({ label, types }) => [label, hostOf(functions[label], types.map(sizeOf), memory)])));
}

/** @param {Called} called @param {readonly number[]} sizes of its parameters @param {() => Float64Array} memory of the caller
 * @returns {(...addresses: number[]) => void} */
function hostOf(called, sizes, memory) {
  return (...addresses) => {
    const reals = memory();
    const args = sizes.map((size, k) => reals.subarray(addresses[k] / BYTES, addresses[k] / BYTES + size));
    called(...args).forEach((leaf, k) => reals.set(leaf, addresses[sizes.length + k] / BYTES));
  };
}

/** @param {AbiType} type @returns {number} the Reals of a Vec */
function sizeOf(type) {
  return type === "real" ? 1 : type.vec * sizeOf(type.of);
}
