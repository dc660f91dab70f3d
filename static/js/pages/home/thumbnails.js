// Makes the small pictures of the site's pages. For each page, a script draws the picture from the compiled modules that the
// page uses first. We load a script only when its picture is needed.

/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

/** @param {Record<string, string>} manifest @param {readonly Preset[]} presets
 * @returns {Record<string, () => Promise<Thumbnail>>} by page name */
export function pages(manifest, presets) {
  return {
    quadratic: () => surface(presets[0]),
    fit: async () => (await import("../fit/thumbnail.js")).thumbnail(manifest),
    regression: async () => (await import("../regression/thumbnail.js")).thumbnail(manifest),
    billiards: async () => (await import("../billiards/thumbnail.js")).thumbnail(manifest),
    robot: async () => (await import("../robot/thumbnail.js")).thumbnail(manifest),
    learn: async () => (await import("../learn/thumbnail.js")).thumbnail(manifest),
    diagrams: async () => (await import("../diagrams/thumbnail.js")).thumbnail(manifest),
    sparse: async () => (await import("../sparse/thumbnail.js")).thumbnail(manifest),
    tape: async () => (await import("../tape/thumbnail.js")).thumbnail(manifest),
    bril: async () => (await import("../bril/thumbnail.js")).thumbnail(manifest),
    playground: async () => (await import("../playground/thumbnail.js")).thumbnailOf(presets[0].artifact.wasm),
  };
}

/** @param {Preset} preset @returns {Promise<Thumbnail>} the preset's surface with point and disc, without numbers */
export async function surface(preset) {
  return (await import("../quadratic/thumbnail.js")).thumbnailOf(preset);
}
