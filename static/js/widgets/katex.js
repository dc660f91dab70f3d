// KaTeX, loaded when a formula is first shown.

import { BUILD } from "../engine/manifest.js";

/** @typedef {(tex: string, element: HTMLElement, options: object) => void} Render */

/** @type {Promise<{render: Render}> | null} */
let katexLoading = null;

/** @returns {Promise<{render: Render}>} */
export function loadKatex() {
  katexLoading ??= (async () => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("../vendor/katex/katex.min.css", BUILD).href;
    document.head.append(sheet);
    const { render } = await import("../../vendor/katex/katex.js");
    return { render: (tex, element, options) => withAllowedStyles(() => render(tex, element, options)) };
  })();
  return katexLoading;
}

/** Lets KaTeX set the width of tall braces while `act` runs. KaTeX uses a style attribute, and the site's security policy
 * forbids style attributes. We set the style as a property instead, which is allowed. @param {() => void} act */
function withAllowedStyles(act) {
  const { prototype } = SVGElement;
  prototype.setAttribute = function setAttribute(name, value) {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
  try {
    act();
  } finally {
    Reflect.deleteProperty(prototype, "setAttribute");
  }
}
