// The gallery. A card links to a page. When the card comes into view, the modules of that page compute the card's picture.

/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { START_VIEW } from "../../model/camera.js";
import { encode } from "../../model/link.js";
import * as thumbnails from "./thumbnails.js";

export class Gallery {
  /** @param {HTMLElement} root @param {Record<string, string>} manifest @param {readonly Preset[]} presets */
  constructor(root, manifest, presets) {
    /** The functions that make the missing pictures. @type {Map<Element, () => Promise<Thumbnail>>} */
    this.makers = new Map();
    /** The finished pictures. @type {Map<HTMLCanvasElement, Thumbnail>} */
    this.made = new Map();
    for (const [name, make] of Object.entries(thumbnails.pages(manifest, presets))) {
      const canvas = root.querySelector(`[data-card=${name}] canvas`);
      if (canvas !== null) this.makers.set(canvas, make);
    }
    const list = root.querySelector(".surfaces");
    for (const preset of presets) {
      const { item, canvas } = surfaceCard(preset);
      list?.append(item);
      this.makers.set(canvas, () => thumbnails.surface(preset));
    }
    this.resized = new ResizeObserver((entries) => {
      for (const { target } of entries) this.draw(/** @type {HTMLCanvasElement} */ (target));
    });
    this.seen = new IntersectionObserver((entries) => this.come(entries), { rootMargin: "200px" });
    for (const canvas of this.makers.keys()) this.seen.observe(canvas);
  }

  /** Draws all pictures again after the theme has changed. */
  repaint() {
    for (const canvas of this.made.keys()) this.draw(canvas);
  }

  /** @private @param {IntersectionObserverEntry[]} entries */
  async come(entries) {
    for (const { target, isIntersecting } of entries) {
      const make = this.makers.get(target);
      if (!isIntersecting || make === undefined) continue;
      this.seen.unobserve(target);
      this.makers.delete(target);
      const canvas = /** @type {HTMLCanvasElement} */ (target);
      this.made.set(canvas, await make());
      this.resized.observe(canvas);
      // Only one picture per turn of the event loop, so that your actions come first.
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
    }
  }

  /** @private @param {HTMLCanvasElement} canvas */
  draw(canvas) {
    const paint = this.made.get(canvas);
    const { clientWidth: width, clientHeight: height } = canvas;
    const ctx = canvas.getContext("2d");
    if (paint === undefined || ctx === null || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(ctx, width, height);
    canvas.dataset.drawn = "";
  }

  destroy() {
    this.seen.disconnect();
    this.resized.disconnect();
  }
}

/** @param {Preset} preset @returns {{item: HTMLElement, canvas: HTMLCanvasElement}} */
function surfaceCard(preset) {
  const item = document.createElement("li");
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  const link = document.createElement("a");
  link.href = `quadratic.html#${encode(preset.doc, START_VIEW, [preset])}`;
  const title = Object.assign(document.createElement("strong"), { textContent: preset.title });
  const formula = Object.assign(document.createElement("span"), { className: "formula-text", textContent: preset.doc.text });
  link.append(canvas, title, " ", formula);
  item.append(link);
  return { item, canvas };
}
