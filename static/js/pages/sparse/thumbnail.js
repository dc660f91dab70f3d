// The small picture of the page Sparse: its net.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadSprings } from "../../engine/presets.js";
import { TableFrame } from "../../model/metre-frame.js";
import { readInks } from "../../widgets/palette.js";
import { firstNet } from "./doc.js";
import { paintNet } from "./scene.js";

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} */
export async function thumbnail(manifest) {
  const { beginning } = await loadSprings(manifest);
  const { flat, side } = beginning;
  return (ctx, widthPx, heightPx) => {
    const frame = new TableFrame([-1, side, -1, side], widthPx, heightPx);
    paintNet(ctx, frame, { beginning, doc: firstNet(beginning), x: flat, group: 0 }, readInks(ctx.canvas));
  };
}
