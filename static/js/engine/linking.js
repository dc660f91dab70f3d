// Links a module to kernels that it calls by address. Arguments and results are copied between their memories.

/** @typedef {import("../model/types.js").Abi} Abi */
/** @typedef {import("../model/types.js").AbiType} AbiType */
/** @typedef {import("../model/types.js").Module} Module */
/** @typedef {import("./kernel.js").Kernel} Kernel */

import { instantiate } from "./kernel.js";

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** @param {Module} module whose host functions take and return Vecs of Reals
 * @param {Readonly<Record<string, Kernel>>} kernels by the labels of the host functions. A kernel's further parameters keep
 *   the values that they have. @returns {Kernel} */
export function linked({ wasm, abi }, kernels) {
  return instantiate(wasm, abi, (memory) => Object.fromEntries(abi.imports.map(({ label, types }) => [label, hostOf(kernels[label], types.map(sizeOf), memory)])));
}

/** @param {Kernel} kernel @param {readonly number[]} sizes of its parameters @param {() => Float64Array} memory of the caller
 * @returns {(...addresses: number[]) => void} */
function hostOf(kernel, sizes, memory) {
  return (...addresses) => {
    const reals = memory();
    const args = sizes.map((size, k) => reals.subarray(addresses[k] / BYTES, addresses[k] / BYTES + size));
    kernel.run(...args).forEach((leaf, k) => reals.set(leaf, addresses[sizes.length + k] / BYTES));
  };
}

/** @param {AbiType} type @returns {number} the Reals of a Vec */
function sizeOf(type) {
  return type === "real" ? 1 : type.vec * sizeOf(type.of);
}
