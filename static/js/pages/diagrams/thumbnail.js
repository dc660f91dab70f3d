// The Diagrams page's small picture: a diagram of the gallery, laid out here.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadDiagram } from "../../engine/presets.js";
import { svgOf } from "./drawing.js";
import { Layout } from "./layout.js";

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} */
export async function thumbnail(manifest) {
  const { artifact } = await loadDiagram(manifest);
  const svg = svgOf(artifact, new Layout(artifact).first().shown);
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const [width, height] = artifact.size;
  return (ctx, widthPx, heightPx) => {
    const scale = Math.min(widthPx / width, heightPx / height);
    ctx.fillStyle = "white";
    ctx.fillRect(0, 0, widthPx, heightPx);
    ctx.drawImage(picture, (widthPx - width * scale) / 2, (heightPx - height * scale) / 2, width * scale, height * scale);
  };
}
