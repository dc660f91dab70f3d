// KaTeX, loaded when a formula is first shown.

/** @type {Promise<any> | null} */
let katexLoading = null;

/** @returns {Promise<{render: (tex: string, element: HTMLElement, options: object) => void}>} */
export function loadKatex() {
  katexLoading ??= (async () => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("../../vendor/katex/katex.min.css", import.meta.url).href;
    document.head.append(sheet);
    const module = await import("../../vendor/katex/katex.js");
    return module;
  })();
  return katexLoading;
}
