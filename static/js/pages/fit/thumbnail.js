// The Fit page's small picture: points, their curve and its bands.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadFits } from "../../engine/presets.js";
import { PlotFrame } from "../../model/plot-frame.js";
import { readInks } from "../../widgets/palette.js";
import { docOf, regionOf } from "./doc.js";
import { Fitter } from "./fitter.js";
import { paintPoints } from "./scene.js";

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} the first set with its fit */
export async function thumbnail(manifest) {
  const { beginning, artifact } = await loadFits(manifest);
  const doc = docOf(beginning.sets[0]);
  const fitter = new Fitter(artifact, beginning.capacities[0]);
  const region = regionOf(doc.points);
  const solution = fitter.solve(doc, null, false);
  const curve = fitter.curve(solution, region);
  const scene = { doc, region, solution, curve, chosen: -1, bands: { confidence: true, prediction: true }, valley: null };
  return (ctx, widthPx, heightPx) => {
    const margins = { left: 30, right: 14, top: 22, bottom: 34 };
    paintPoints(ctx, new PlotFrame(region, widthPx, heightPx, margins), readInks(ctx.canvas), scene);
  };
}
