// Draws the figures, images and tables that a visitor's program shows. This script runs in a sandboxed frame, so a program can
// harm only the frame itself. The program's data become text, attributes and pixels, never markup or script.
//
// The first message from the page contains a port. Through the port, the page sends {kind: "draw", shown} with the JSON that
// app/playground/pictures.py makes, {kind: "theme", scheme} and {kind: "ping"}. This script sends {kind: "height", px} and
// {kind: "pong"}.

/** What this script needs to draw figures of eg.figure. `wake`: a function that makes all figures in a document interactive.
 * `style`: the figures' CSS. `box`: the left edge, top edge, width and height of the plot in a figure that is not a surface.
 * @typedef {{wake: (root: ParentNode) => void, style: string, box: readonly number[]}} Drawing */

const SVG = "http://www.w3.org/2000/svg";
const OWN_STYLE = `
html { color-scheme: light dark; background: transparent; overflow: hidden; }
body { margin: 0; color: CanvasText; font: 0.875rem system-ui, sans-serif; }
.eg-figure { max-width: 34rem; margin: 0.25rem 0; }
.eg-figure details { display: none; }
.image, .file { display: block; max-width: 100%; margin: 0.25rem 0; }
.image { min-width: min(100%, 12rem); height: auto; image-rendering: pixelated; }
.rows { max-width: 100%; overflow-x: auto; }
table { border-collapse: collapse; margin: 0.25rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.125rem 0.75rem 0.125rem 0; text-align: start; vertical-align: top; font-weight: 400; }
thead th { border-bottom: 1px solid; font-weight: 600; }
.numeric { text-align: end; }
.more { margin: 0; opacity: 0.75; }`;
/** The types of files that may be shown as pictures. */
const FILES = ["image/svg+xml", "image/png"];

/** @param {Drawing} drawing */
export function serve(drawing) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(drawing.style + OWN_STYLE);
  document.adoptedStyleSheets = [sheet];
  addEventListener("message", ({ source, ports: [port] }) => {
    // A stranger's page could frame this document by its address. Then it would have the site's origin.
    if (self.origin === "null" && source === parent && port !== undefined) listen(port, drawing);
  }, { once: true });
}

/** @param {MessagePort} port @param {Drawing} drawing */
function listen(port, drawing) {
  const report = () => port.postMessage({ kind: "height", px: document.documentElement.getBoundingClientRect().height });
  new ResizeObserver(report).observe(document.body); // it sleeps while the frame is out of sight
  document.addEventListener("load", report, { capture: true });
  port.onmessage = ({ data }) => {
    if (data.kind === "ping") port.postMessage({ kind: "pong" });
    else if (data.kind === "theme") document.documentElement.style.colorScheme = data.scheme;
    else if (data.kind === "draw") {
      document.body.append(drawn(JSON.parse(data.shown), drawing));
      drawing.wake(document);
      report();
    }
  };
}

/** @param {any} shown @param {Drawing} drawing @returns {Node} */
function drawn(shown, drawing) {
  switch (shown.kind) {
    case "figure":
      return figure(String(shown.figure), drawing);
    case "image":
      return image(shown);
    case "file":
      return file(shown);
    default:
      return table(shown);
  }
}

/** An empty figure, which its own script fills. @param {string} data @param {Drawing} drawing @returns {HTMLElement} */
function figure(data, { box }) {
  const { kind, labels } = JSON.parse(data);
  const root = element("figure", "eg-figure");
  root.dataset.figure = data;
  const picture = part("svg", { viewBox: "0 0 560 380", role: "group", "aria-label": `${kind}: ${labels.join(", ")}` });
  const [x, y, width, height] = box.map(String);
  /** @type {Record<string, string>} */
  const clip = kind === "surface" ? {} : { x, y, width, height, viewBox: box.join(" ") };
  picture.append(part("g", { class: "behind" }), part("svg", { class: "plot", ...clip }), part("g", { class: "above" }));
  const told = element("p", "told");
  told.setAttribute("aria-live", "polite");
  root.append(picture, told);
  return root;
}

/** @param {{width: number, height: number, grey?: string, rgb?: string, label: string}} shown @returns {HTMLElement} */
function image({ width, height, grey, rgb, label }) {
  const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", "image"));
  Object.assign(canvas, { width, height });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", String(label));
  const bytes = bytesOf(grey ?? rgb ?? "");
  const each = grey === undefined ? 3 : 1;
  const pixels = new ImageData(width, height);
  for (let k = 0; k < width * height; k++) {
    for (let channel = 0; channel < 3; channel++) pixels.data[4 * k + channel] = bytes[each * k + (channel % each)];
    pixels.data[4 * k + 3] = 255;
  }
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
  return canvas;
}

/** @param {{type: string, data: string, label: string}} shown @returns {HTMLElement} */
function file({ type, data, label }) {
  const picture = /** @type {HTMLImageElement} */ (element("img", "file"));
  picture.alt = String(label);
  if (FILES.includes(type)) picture.src = `data:${type};base64,${data}`;
  return picture;
}

/** @param {{head: string[], rows: string[][], numeric: boolean[], more: number}} shown @returns {HTMLElement} */
function table({ head, rows, numeric, more }) {
  const whole = /** @type {HTMLTableElement} */ (element("table"));
  const line = (/** @type {string[]} */ cells, /** @type {"th" | "td"} */ tag) => {
    const row = element("tr");
    row.append(...cells.map((text, k) => element(tag, numeric[k] ? "numeric" : "", text)));
    return row;
  };
  if (head.length > 0) whole.createTHead().append(line(head, "th"));
  whole.createTBody().append(...rows.map((cells) => line(cells, "td")));
  const box = element("div", "rows");
  box.append(whole);
  if (more > 0) box.append(element("p", "more", `… ${more}`));
  return box;
}

/** @param {string} tag @param {string} [name] of its class @param {string} [text] @returns {HTMLElement} */
function element(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  if (text !== "") made.textContent = text;
  return made;
}

/** @param {string} tag @param {Record<string, string>} attributes @returns {SVGElement} */
function part(tag, attributes) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** @param {string} base64 @returns {Uint8Array} */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
