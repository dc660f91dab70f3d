// The sandboxed frame in which visitors' trios are compiled: like Python's frame, but its worker holds Penrose and starts at once.

/** @typedef {import("./manifest.js").Manifest} Manifest */
/** @typedef {import("./own-python.js").Opening} Opening */
/** @typedef {import("./own-python.js").Place} Place */

import { SandboxFiles } from "./sandbox-files.js";
import { Sandbox } from "./sandbox.js";

class PenroseSandbox extends Sandbox {
  /** @protected @override @param {Manifest | Promise<Manifest>} coming */
  async handOver(coming) {
    this.missing.clear();
    const files = new SandboxFiles(await coming);
    const script = await files.part("penrose", (share) => this.tell({ kind: "progress", share }));
    this.post({ kind: "start", script }, [script]);
  }

  /** @override @returns {boolean} */
  interrupt() {
    return false; // the frame ends
  }
}

/** @param {Opening} opening @returns {Place} */
export function openPenrose({ manifest, onMessage, onDeath }) {
  return new PenroseSandbox(manifest, onMessage, onDeath);
}
