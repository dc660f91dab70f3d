// A control for the reader's own picture: choose a file, or drop it on the figure.

import { element } from "./takeaway.js";

const OPAQUE = 255;

/**
 * @param {HTMLElement} figure @param {string} name @param {number} size
 * @param {(greys: number[]) => void} set gets size² greys from 0 to 255, row by row
 */
export function pictureOf(figure, name, size, set) {
  const input = element("input", { type: "file", accept: "image/*" });
  /** @param {FileList | undefined} files */
  const take = async (files) => {
    if (!files?.length) return;
    try {
      set(await greysOf(files[0], size));
      input.setCustomValidity("");
    } catch {
      input.setCustomValidity("This browser cannot read this file as a picture.");
      input.reportValidity();
    }
  };
  input.addEventListener("change", () => take(input.files ?? undefined));
  figure.addEventListener("dragover", (event) => event.preventDefault());
  figure.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files);
  });
  return element("label", {}, `${name} `, input);
}

/** The greys of the middle square of a picture, made smaller, on white paper. @param {File} file @param {number} size */
async function greysOf(file, size) {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = element("canvas", { width: size, height: size });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, size, size);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, size, size);
  const { data } = pen.getImageData(0, 0, size, size);
  return Array.from({ length: size * size }, (_, k) =>
    Math.min(0.2126 * data[4 * k] + 0.7152 * data[4 * k + 1] + 0.0722 * data[4 * k + 2], OPAQUE));
}
