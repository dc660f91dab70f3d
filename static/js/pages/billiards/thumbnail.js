// The Billiards page's small picture: a shot after some steps of descent.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadTable } from "../../engine/presets.js";
import { TableFrame } from "../../model/metre-frame.js";
import { readInks } from "../../widgets/palette.js";
import { paintTable } from "./scene.js";
import { Shot } from "./shot.js";
import { firstTable } from "./table.js";

const SHOT_STEPS = 80;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} a shot after some steps of descent */
export async function thumbnail(manifest) {
  const { beginning, artifact } = await loadTable(manifest);
  const shot = new Shot(artifact);
  let table = firstTable(beginning);
  for (let k = 0; k < SHOT_STEPS; k++) {
    const { x, v } = shot.jet(table);
    const down = (/** @type {readonly [number, number]} */ from, /** @type {readonly [number, number]} */ slope) =>
      /** @type {[number, number]} */ (from.map((value, axis) => value - table.settings.rate * slope[axis]));
    table = { ...table, cue: { x: down(table.cue.x, x), v: down(table.cue.v, v) } };
  }
  const scene = {
    table, paths: shot.trace(table), jet: shot.jet(table), step: table.settings.steps, field: null, show: /** @type {const} */ ("none"),
    traces: true, ghosts: [],
  };
  return (ctx, widthPx, heightPx) => {
    const frame = new TableFrame(beginning.cushions, widthPx, heightPx);
    const [x0, x1, y0, y1] = beginning.cushions;
    const [left, top] = frame.toPx([x0, y1]);
    // Cut off a path that leaves the table at the table's edge, not at the picture's.
    ctx.beginPath();
    ctx.rect(left - 1, top - 1, (x1 - x0) * frame.scale + 2, (y1 - y0) * frame.scale + 2);
    ctx.clip();
    paintTable(ctx, frame, scene, readInks(ctx.canvas), beginning);
  };
}
