// What the sandbox is handed: files of the build by the names in its manifest, each of them what its hash there says.

import { fetched } from "../worker/fetching.js";
import { forgetPython, keepPython } from "../worker/keeping.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {(share: number) => void} OnShare from 0 to 1 */

const ROOT = new URL("../../", import.meta.url);
const KEPT = "eglantine.python";
/** How gzip begins. */
const GZIP = [0x1f, 0x8b];
/** Parts that the next visit shall find on this device. */
const LASTING = new Set(["engine", "snapshot"]);
/** How a part's name begins that is a package's. */
const PACKAGE = "package/";

export class SandboxFiles {
  /** @param {Manifest} manifest */
  constructor(manifest) {
    this.manifest = manifest;
    /** {part: [file, SHA-256 of what is in it]}. @type {Record<string, [string, string]>} */
    this.parts = JSON.parse(manifest.handed);
    /** Copies of what the network has brought, to be kept. @type {Map<string, Promise<ArrayBuffer>>} */
    this.brought = new Map();
  }

  /** @param {string} name @returns {string | null} the package that a part is, if there is one of this name */
  packageOf(name) {
    return name.startsWith(PACKAGE) && Object.hasOwn(this.parts, name) ? name.slice(PACKAGE.length) : null;
  }

  /** @param {string} name of a part @param {OnShare} onShare @returns {Promise<ArrayBuffer>} its bytes, the caller's own
   * @throws {Error} there is no such part, or no file that is what its hash says */
  async part(name, onShare = () => {}) {
    if (!Object.hasOwn(this.parts, name)) throw new Error(`Found the part ${name}; expected one of the manifest's.`);
    const [file, sha256] = this.parts[name];
    const url = new URL(file, ROOT);
    const kept = LASTING.has(name) ? await keptBytes(url) : null;
    if (kept !== null && (await isOf(kept, sha256))) {
      onShare(1);
      return kept;
    }
    const bytes = await unpacked(await fetched(url, onShare));
    if (!(await isOf(bytes, sha256))) throw new Error(`Found another ${file} than this build's; expected the one of its hash.`);
    if (LASTING.has(name)) this.brought.set(url.href, Promise.resolve(bytes.slice(0)));
    return bytes;
  }

  /** Keeps what the network has brought. @param {() => void} onKept when all of it is there */
  async keep(onKept) {
    const wanted = [...LASTING].filter((name) => Object.hasOwn(this.parts, name)).map((name) => new URL(this.parts[name][0], ROOT));
    await keepPython(wanted, this.brought, onKept);
  }

  /** Forgets what does not start. */
  forget() {
    return forgetPython();
  }
}

/** @param {URL} url @returns {Promise<ArrayBuffer | null>} what was kept of it, whoever has put it there */
async function keptBytes(url) {
  try {
    return (await (await (await caches.open(KEPT)).match(url))?.arrayBuffer()) ?? null;
  } catch {
    return null; // not everywhere may a page keep something
  }
}

/** @param {ArrayBuffer} bytes @returns {Promise<ArrayBuffer>} what is in them, if they are gzip */
async function unpacked(bytes) {
  const isPacked = GZIP.every((byte, k) => new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))[k] === byte);
  if (!isPacked) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @param {ArrayBuffer} bytes @param {string} sha256 in hexadecimal @returns {Promise<boolean>} whether they are what it says;
 * where a browser does not hash, which is where it keeps nothing either, they come from where the page itself comes from */
async function isOf(bytes, sha256) {
  if (globalThis.crypto?.subtle === undefined) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
