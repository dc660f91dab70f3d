// Downloads of files. The code that makes pictures loads when a button is first pressed.

/** @typedef {import("../model/types.js").Region} Region */
/** @typedef {import("./palette.js").Inks} Inks */
/** @typedef {import("./plot-picture.js").Paint} Paint */

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} name @param {string} svg */
export function downloadSvg(name, svg) {
  download(name, new Blob([svg], { type: "image/svg+xml" }));
}

/** Returns the actions of the buttons that save a picture, by the buttons' CSS selectors.
 * @template S @param {string} name the name of the file, without its extension
 * @param {import("./canvas-picture.js").CanvasPicture<S>} picture
 * @param {() => S | null} scene returns the scene that is shown, or null @returns {Record<string, () => void>} */
export function downloads(name, picture, scene) {
  const withScene = (/** @type {(shown: S) => void} */ keep) => () => {
    const shown = scene();
    if (shown !== null) keep(shown);
  };
  return {
    ".png": withScene(async (shown) => download(`${name}.png`, await picture.png(shown))),
    ".svg": withScene(async (shown) => downloadSvg(`${name}.svg`, await picture.svg(shown))),
  };
}

/** Returns the actions of the buttons that save plots, by the buttons' CSS selectors.
 * @param {string} name the name of the file, without its extension
 * @param {() => readonly {region: Region, paint: Paint}[]} plots returns the plots that are shown
 * @param {() => Inks} inks returns the colours @returns {Record<string, () => void>} */
export function plotDownloads(name, plots, inks) {
  return {
    ".png": async () => {
      const shown = plots();
      const { plotsAsPng } = await import("./plot-export.js");
      download(`${name}.png`, await plotsAsPng(shown, inks()));
    },
    ".svg": async () => {
      const shown = plots();
      const { plotsAsSvg } = await import("./plot-export.js");
      downloadSvg(`${name}.svg`, plotsAsSvg(shown, inks()));
    },
  };
}
