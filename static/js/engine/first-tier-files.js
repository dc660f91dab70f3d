// Loads the first tier, which computes formulas until Python has loaded. It consists of a script and a module that the build
// made (tools/tier.py). The reader of LaTeX is a separate script, because few visits need it.

import { BUILD } from "./manifest.js";

/** @typedef {import("./first-tier.js").FirstTier} FirstTier */

/** @param {Record<string, string>} manifest @returns {Promise<FirstTier>} */
export async function loadFirstTier(manifest) {
  const [{ FirstTier, tables, abi }, module] = await Promise.all([
    import(new URL(manifest.tier, BUILD).href),
    fetch(new URL(manifest.tierModule, BUILD)),
  ]);
  if (!module.ok) throw new Error(module.url);
  return new FirstTier(tables, new Uint8Array(await module.arrayBuffer()), abi, () => import(new URL(manifest.tierLatex, BUILD).href));
}
