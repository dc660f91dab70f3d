// Loads the first tier of formulas: a script and a module, which the build made (tools/tier.py). The reader of LaTeX is another
// script, which few visits need.

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
