// The files that the page hands to the sandbox. The manifest names them, and each must match its hash there.

import { fetched } from "../worker/fetching.js";
import { forgetPython, isMade, keepPython, kept } from "../worker/keeping.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {(share: number) => void} OnShare from 0 to 1 */

export const ROOT = new URL("../../", import.meta.url);
/** The first two bytes of gzip. */
const GZIP = [0x1f, 0x8b];
/** The parts of Python that we store on this device for the next visit. */
const LASTING = new Set(["engine", "snapshot"]);
/** The names of packages begin with this. */
const PACKAGE = "package/";

export class SandboxFiles {
  /** @param {Manifest} manifest */
  constructor(manifest) {
    this.manifest = manifest;
    /** {part: [file, SHA-256 of the unpacked content]}. @type {Record<string, [string, string]>} */
    this.parts = JSON.parse(manifest.handed);
    /** Copies of fetched files. The keys are their addresses. `keep` stores them on this device.
     * @type {Map<string, Promise<ArrayBuffer>>} */
    this.brought = new Map();
  }

  /** @param {string} name of a part @returns {string | null} the package's name, or null if the manifest has no such package */
  packageOf(name) {
    return name.startsWith(PACKAGE) && Object.hasOwn(this.parts, name) ? name.slice(PACKAGE.length) : null;
  }

  /** Fetches a part, such as a package, or reads it from this device. @param {string} name of a part @param {OnShare} onShare
   * @returns {Promise<ArrayBuffer>} the part's bytes, which only the caller uses
   * @throws {Error} if the part does not exist, or the file does not match the part's hash */
  async part(name, onShare = () => {}) {
    if (!Object.hasOwn(this.parts, name)) throw new Error(`The manifest names no part ${name}.`);
    const [file, sha256] = this.parts[name];
    const url = new URL(file, ROOT);
    const keptPart = LASTING.has(name) ? await kept(url, sha256) : null;
    if (keptPart !== null) {
      onShare(1);
      return keptPart;
    }
    const bytes = await unpacked(await fetched(url, onShare));
    if (!(await isOf(bytes, sha256))) throw new Error(`${file} does not match the hash of this build. Load the page again.`);
    if (LASTING.has(name)) this.brought.set(url.href, Promise.resolve(bytes.slice(0)));
    return bytes;
  }

  /** Stores the files that came from the network. @param {() => void} onKept called when all files are stored */
  async keep(onKept) {
    if (this.manifest.keeps === "nothing") return;
    const wanted = [...LASTING].filter((name) => Object.hasOwn(this.parts, name)).map((name) => new URL(this.parts[name][0], ROOT));
    await keepPython(wanted, this.brought, onKept);
  }

  /** Deletes the files of Python that this device has stored. We call this if Python did not start from them. */
  async forget() {
    if (this.manifest.keeps !== "nothing") await forgetPython();
  }
}

/** @param {ArrayBuffer} bytes @returns {Promise<ArrayBuffer>} their content if they are gzip, else the bytes themselves */
async function unpacked(bytes) {
  const isPacked = GZIP.every((byte, k) => new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))[k] === byte);
  if (!isPacked) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** True if bytes have this hash. If the browser cannot compute hashes, we trust the bytes: such a browser stores no files, so
 * the bytes come from the page's own server.
 * @param {ArrayBuffer} bytes @param {string} sha256 in hexadecimal @returns {Promise<boolean>} */
async function isOf(bytes, sha256) {
  return globalThis.crypto?.subtle === undefined || isMade(bytes, sha256);
}
