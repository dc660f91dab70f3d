// The button "Take the model" saves the files of a figure, and its picture as it is now.

export const SVG = "http://www.w3.org/2000/svg";

/**
 * A new HTML element with the given properties and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number>} properties @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, properties, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

/** "Take the model": the files of a figure. @param {HTMLElement} figure @param {import("./figure.js").Description} spec @param {Record<string, ArrayBuffer>} modules by their names */
export function takeaway(figure, spec, modules) {
  /** @param {string} name @param {() => Promise<Blob> | Blob} content */
  const button = (name, content) => {
    const made = element("button", { type: "button" }, name);
    made.addEventListener("click", async () => {
      const url = URL.createObjectURL(await content());
      element("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    });
    return made;
  };
  const files = Object.entries({ ...modules, ...spec.files }).map(([name, content]) =>
    button(name, () => new Blob([content])));
  return element("details", {},
    element("summary", {}, "Take the model"),
    ...files,
    button(`${spec.name}.svg`, () => new Blob([drawing(figure)], { type: "image/svg+xml" })),
    button(`${spec.name}.png`, () => png(figure)));
}

/** The picture as it is now, as a file of SVG. @param {HTMLElement} figure */
function drawing(figure) {
  const picture = /** @type {SVGSVGElement} */ (figure.querySelector("svg")?.cloneNode(true));
  const { color, colorScheme } = getComputedStyle(figure);
  picture.setAttribute("width", "1120");
  picture.setAttribute("height", "760");
  picture.style.cssText = `color:${color};color-scheme:${colorScheme};background:Canvas`; // which a policy allows
  const style = document.createElementNS(SVG, "style");
  style.textContent = figure.querySelector("style")?.textContent ?? linkedRules();
  picture.prepend(style);
  return new XMLSerializer().serializeToString(picture);
}

/** The rules of the page's own style sheets. */
function linkedRules() {
  const own = [...document.styleSheets].filter(({ href }) => !href || new URL(href).origin === location.origin);
  return own.flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText).join("");
}

/** @param {HTMLElement} figure @returns {Promise<Blob>} */
async function png(figure) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawing(figure))}`;
  await picture.decode();
  const canvas = element("canvas", { width: 1120, height: 760 });
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser made no PNG."))));
  });
}
