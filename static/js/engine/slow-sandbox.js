// The sandboxed Python where the connection is slow.

import { keptResponse } from "../worker/keeping.js";
import { ROOT } from "./sandbox-files.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */

/** Leaves the snapshot (the memory of a started Python) out of the manifest. Programs need Python's files in any case, and
 * Python can start from these files alone. On a slow connection, this is faster than fetching the snapshot as well.
 * @param {Manifest} manifest @returns {Promise<Manifest>} the manifest without the snapshot, or the whole manifest if this
 *   device has stored the snapshot */
export async function withoutSnapshot(manifest) {
  const { snapshot, ...rest } = JSON.parse(manifest.handed);
  if (snapshot === undefined || (await keptResponse(new URL(snapshot[0], ROOT))) !== null) return manifest;
  return { ...manifest, handed: JSON.stringify(rest), keeps: "nothing" };
}
