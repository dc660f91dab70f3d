// The Bril page's small picture: the basic blocks of a program and the edges between them.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadBril } from "../../engine/presets.js";
import { readInks } from "../../widgets/palette.js";
import { PADDING_PX } from "../../widgets/thumbnail.js";

const LINE_PX = 15;
const GAP_PX = 12;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} */
export async function thumbnail(manifest) {
  const [{ analysis: { functions: [{ blocks }] } }] = await loadBril(manifest);
  return (ctx, widthPx, heightPx) => {
    const inks = readInks(ctx.canvas);
    const lines = blocks.reduce((sum, { items }) => sum + items.length, 0);
    const linePx = Math.min(LINE_PX, (heightPx - 2 * PADDING_PX - GAP_PX * blocks.length) / lines);
    ctx.font = `${(0.75 * linePx).toFixed(1)}px ${inks.font}`;
    ctx.textBaseline = "middle";
    let y = PADDING_PX;
    for (const { items } of blocks) {
      ctx.strokeStyle = inks.strong;
      ctx.strokeRect(0.12 * widthPx, y, 0.76 * widthPx, items.length * linePx);
      items.forEach(({ text, back }, k) => {
        ctx.fillStyle = back === "" ? inks.soft : inks.ink;
        ctx.fillText(text, 0.15 * widthPx, y + (k + 0.5) * linePx);
      });
      y += items.length * linePx + GAP_PX;
    }
  };
}
