// The Tape page's small picture: the rows of a formula with values and cotangents.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { instantiate } from "../../engine/kernel.js";
import { loadTapes } from "../../engine/presets.js";
import { format } from "../../model/numbers.js";
import { readInks } from "../../widgets/palette.js";
import { PADDING_PX } from "../../widgets/thumbnail.js";
import { operationText, rowText } from "./operation.js";

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} the rows of a formula with values and cotangents */
export async function thumbnail(manifest) {
  const [{ doc, artifact }] = await loadTapes(manifest);
  const { evaluate } = instantiate(artifact.wasm, artifact.abi);
  const numbers = new Float64Array(artifact.abi.result.leaves[0].dims[0]);
  evaluate?.([...doc.point, ...doc.direction], numbers);
  const shown = (/** @type {number | null} */ place) => (place === null ? "" : format(numbers[place]));
  const { nodes } = artifact;
  const rows = nodes.map((node, k) => [rowText(node.name), node.op === "input" ? "" : operationText(nodes, k), shown(node.value), shown(node.cotangent)]);
  return (ctx, widthPx, heightPx) => {
    const inks = readInks(ctx.canvas);
    const stepPx = (heightPx - 2 * PADDING_PX) / rows.length;
    ctx.font = `${Math.min(14, 0.62 * stepPx).toFixed(1)}px ${inks.font}`;
    ctx.textBaseline = "middle";
    rows.forEach((row, k) => {
      const y = PADDING_PX + (k + 0.5) * stepPx;
      ctx.fillStyle = inks.line;
      ctx.fillRect(0, Math.round(y + stepPx / 2), widthPx, 1);
      const places = /** @type {const} */ ([[0.02, "left", inks.ink], [0.16, "left", inks.soft], [0.66, "right", inks.ink], [0.98, "right", inks.leaf]]);
      places.forEach(([share, align, ink], column) => {
        ctx.textAlign = align;
        ctx.fillStyle = ink;
        ctx.fillText(row[column], share * widthPx, y);
      });
    });
  };
}
