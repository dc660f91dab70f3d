// Small pictures of the pages, each made by its page from the modules that it begins with. Nothing of a page is loaded
// before its picture is asked for.

/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

/** @param {Record<string, string>} manifest @param {readonly Preset[]} presets
 * @returns {Record<string, () => Promise<Thumbnail>>} by the page's name */
export function pages(manifest, presets) {
  return {
    quadratic: () => surface(presets[0]),
    regression: async () => (await import("../regression/thumbnail.js")).thumbnail(manifest),
    billiards: async () => (await import("../billiards/thumbnail.js")).thumbnail(manifest),
    robot: async () => (await import("../robot/thumbnail.js")).thumbnail(manifest),
    tape: async () => (await import("../tape/thumbnail.js")).thumbnail(manifest),
    playground: async () => (await import("../playground/thumbnail.js")).thumbnailOf(presets[0].artifact.wasm),
  };
}

/** @param {Preset} preset @returns {Promise<Thumbnail>} its surface with its point and disc, without numbers */
export async function surface(preset) {
  return (await import("../quadratic/thumbnail.js")).thumbnailOf(preset);
}
