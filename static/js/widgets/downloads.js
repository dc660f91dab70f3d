// Downloads of files.

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The buttons that save a picture. @template S @param {string} name
 * @param {import("./canvas-picture.js").CanvasPicture<S>} picture
 * @param {() => S | null} scene the scene shown, or null @returns {Record<string, () => void>} */
export function downloads(name, picture, scene) {
  const withScene = (/** @type {(shown: S) => void} */ keep) => () => {
    const shown = scene();
    if (shown !== null) keep(shown);
  };
  return {
    ".png": withScene(async (shown) => download(`${name}.png`, await picture.png(shown))),
    ".svg": withScene((shown) => download(`${name}.svg`, new Blob([picture.svg(shown)], { type: "image/svg+xml" }))),
  };
}
