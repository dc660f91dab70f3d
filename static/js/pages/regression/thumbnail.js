// The Regression page's small picture: the loss over all lines, and a descent.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadRegression } from "../../engine/presets.js";
import { PlotFrame } from "../../model/plot-frame.js";
import { readInks } from "../../widgets/palette.js";
import { firstFit } from "./fit.js";
import { Fitting } from "./fitting.js";
import { LineDescent } from "./line-descent.js";
import { lossContours } from "../../model/loss-contours.js";
import { paintSurface } from "./scene.js";

const FIT_STEPS = 400;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} the loss over all lines, and a descent */
export async function thumbnail(manifest) {
  const { beginning, artifact } = await loadRegression(manifest);
  const fitting = new Fitting(beginning, artifact);
  const descent = new LineDescent(fitting);
  const fit = descent.advance(firstFit(beginning), FIT_STEPS);
  const { path } = descent;
  const region = /** @type {const} */ ([-0.5, 1.5, -2, 8]);
  const scene = {
    fit, path, region, origin: 0, jet: fitting.jet(fit), exact: fitting.exact(fit), chosen: -1, residuals: false, showsExact: true,
    contours: lossContours(fitting.surface(fit, region), beginning.cells), cells: beginning.cells,
  };
  return (ctx, widthPx, heightPx) => {
    const margins = { left: 26, right: 14, top: 22, bottom: 34 };
    paintSurface(ctx, new PlotFrame(region, widthPx, heightPx, margins), readInks(ctx.canvas), scene);
  };
}
