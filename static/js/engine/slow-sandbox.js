// The sandboxed Python where the connection is slow.

import { keptResponse } from "../worker/keeping.js";
import { ROOT } from "./sandbox-files.js";

/** @typedef {import("./manifest.js").Manifest} Manifest */

/** Leaves the snapshot out of the manifest. Programs need all files of Python anyway, so on a slow connection a program can run
 * earlier if Python starts from these files and does not wait for the snapshot too.
 * @param {Manifest} manifest @returns {Promise<Manifest>} the same without the snapshot, unless this device keeps that */
export async function withoutSnapshot(manifest) {
  const { snapshot, ...rest } = JSON.parse(manifest.handed);
  if (snapshot === undefined || (await keptResponse(new URL(snapshot[0], ROOT))) !== null) return manifest;
  return { ...manifest, handed: JSON.stringify(rest), keeps: "nothing" };
}
