// The playground's small picture: the first bytes of a module.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { readInks } from "../../widgets/palette.js";
import { PADDING_PX } from "../../widgets/thumbnail.js";

/** @param {Uint8Array} wasm @returns {Thumbnail} the first bytes of the module, its code in green */
export function thumbnailOf(wasm) {
  return (ctx, widthPx, heightPx) => {
    const inks = readInks(ctx.canvas);
    const sizePx = 12;
    ctx.font = `${sizePx}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
    ctx.textBaseline = "top";
    const [acrossPx, downPx] = [ctx.measureText("00").width + 7, 1.55 * sizePx];
    const columns = Math.max(1, Math.floor((widthPx - PADDING_PX) / acrossPx));
    const rows = Math.max(1, Math.floor((heightPx - PADDING_PX) / downPx));
    const code = codeStart(wasm);
    for (let k = 0; k < Math.min(wasm.length, columns * rows); k++) {
      ctx.fillStyle = k < code ? inks.soft : inks.leaf;
      const text = wasm[k].toString(16).padStart(2, "0");
      ctx.fillText(text, PADDING_PX / 2 + (k % columns) * acrossPx, PADDING_PX + Math.floor(k / columns) * downPx);
    }
  };
}

/** @param {Uint8Array} wasm @returns {number} the start of its code section */
function codeStart(wasm) {
  const [header, code] = [8, 10];
  for (let at = header; at < wasm.length; ) {
    if (wasm[at] === code) return at;
    let size = 0;
    let shift = 0;
    do {
      at += 1;
      size |= (wasm[at] & 127) << shift;
      shift += 7;
    } while (wasm[at] > 127);
    at += 1 + size;
  }
  return wasm.length;
}
