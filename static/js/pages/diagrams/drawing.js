// Draws a diagram's shapes as SVG elements with their attributes. The rules are the same as in
// pyodide_pkg/eglantine/diagrams/drawing.py. In a diagram, y points up. In SVG, y points down, so we change the sign of y.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Shape} Shape */
/** @typedef {Readonly<Record<string, number | string>>} Values the attributes of a shape */
/** @typedef {{tag: string, attributes: Record<string, string>, text?: string}} Element */

const FONT = "Helvetica, Arial, sans-serif";
/** The height of capital letters, as a share of the font's size. */
const CAP_HEIGHT = 0.718;
/** The length of an arrow head for a stroke of ordinary width. */
const ARROW = 9;
/** Half the width of an arrow head, as a share of its length. */
const ARROW_WIDTH = 0.4;
/** The names of SVG elements, for the kinds of shapes that SVG calls by another name.
 * @type {Readonly<Record<string, string>>} */
const TAGS = { rectangle: "rect", outline: "path" };
/** A style with one of these parts could make a browser load another file. A saved picture has no policy that prevents this. */
const ADDRESS = /url|\\/i;
/** The kinds of shapes that may have arrow heads. */
const ARROWED = ["line", "polyline", "path"];
/** Two points of a line count as one point if their distance is at most this length. */
const SAME = 1e-6;

/** @param {DiagramArtifact} artifact @param {ArrayLike<number>} shown the numbers of a layout
 * @returns {Record<string, number | string>[]} */
export function valuesOf({ shapes, places }, shown) {
  const values = shapes.map((shape) => /** @type {Record<string, number | string>} */ ({ ...shape.values }));
  places.forEach(([shape, name], k) => {
    values[shape][name] = shown[k];
  });
  return values;
}

/** @param {DiagramArtifact} artifact @returns {number[]} the shapes that are drawn, with higher layers later */
export function drawnShapes({ shapes }) {
  const drawn = [...shapes.keys()].filter((k) => shapes[k].kind !== "group");
  return drawn.sort((j, k) => shapes[j].layer - shapes[k].layer);
}

/** @param {Shape} shape @param {Values} values @returns {Element[]} the shape itself, then its arrow heads */
export function elementsOf(shape, values) {
  const element = { tag: TAGS[shape.kind] ?? shape.kind, attributes: { ...placed(shape, values), ...styled(values) } };
  if (shape.kind === "text") return [{ ...element, text: shape.content }];
  return ARROWED.includes(shape.kind) ? [element, ...heads(values)] : [element];
}

/** The invisible element that receives presses on a shape. @param {Shape} shape @param {Values} values @returns {Element} */
export function haloOf(shape, values) {
  if (shape.kind !== "text") return { tag: TAGS[shape.kind] ?? shape.kind, attributes: placed(shape, values) };
  return { tag: "rect", attributes: box(values) };
}

/** Writes the diagram as the text of an SVG file. In this text, each shape is a `g` element, whose id is the shape's name.
 * @param {DiagramArtifact} artifact @param {ArrayLike<number>} shown @returns {string} */
export function svgOf(artifact, shown) {
  const values = valuesOf(artifact, shown);
  const [width, height] = artifact.size;
  const lines = drawnShapes(artifact).map((k) => {
    const elements = elementsOf(artifact.shapes[k], values[k]);
    const title = `<title>${escaped(artifact.shapes[k].name)}</title>`;
    const inner = elements.map(({ tag, attributes, text = "" }) => `<${tag}${attributesText(attributes)}>${escaped(text)}</${tag}>`);
    return `<g id="${escaped(artifact.shapes[k].name)}">${title}${inner.join("")}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox(artifact)}" width="${width}" height="${height}" role="img">\n${lines.join("\n")}\n</svg>\n`;
}

/** @param {DiagramArtifact} artifact @returns {string} */
export function viewBox({ size: [width, height] }) {
  return `${-width / 2} ${-height / 2} ${width} ${height}`;
}

/** @param {Shape} shape @param {Values} at @returns {Record<string, string>} the attributes that place a shape */
function placed(shape, at) {
  switch (shape.kind) {
    case "circle":
      return { cx: n(at.x), cy: n(-at.y), r: size(at.r) };
    case "ellipse":
      return { cx: n(at.x), cy: n(-at.y), rx: size(at.rx), ry: size(at.ry) };
    case "rectangle":
      return box(at);
    case "image":
      return { ...box(at), href: shape.content };
    case "text":
      return {
        x: n(at.x), y: n(-at.y + (CAP_HEIGHT * Number(at.size)) / 2), "font-family": String(at.font ?? FONT), "font-size": size(at.size),
        "text-anchor": "middle", textLength: size(at.width), lengthAdjust: "spacingAndGlyphs",
      };
    case "line":
      return { x1: n(at.x1), y1: n(-at.y1), x2: n(at.x2), y2: n(-at.y2) };
    case "outline":
      return { d: outlined(shape.content, at) };
    case "path": {
      const [first, ...rest] = written(at);
      const curves = rest.flatMap((_, k) => (k % 3 === 0 ? [`C ${rest.slice(k, k + 3).join(" ")}`] : []));
      return { d: `M ${first} ${curves.join(" ")}` };
    }
    default:
      return { points: written(at).join(" ") };
  }
}

/** @param {Values} at @returns {Record<string, string>} */
function box(at) {
  const [width, height] = [Number(at.width), Number(at.height)];
  return { x: n(Number(at.x) - width / 2), y: n(-at.y - height / 2), width: size(width), height: size(height) };
}

/** Replaces the names in the description of a curve by their values. Names such as x1 and y1 stand for coordinates. Other names
 * stand for the numbers that describe an arc. @param {string} words @param {Values} at
 * @returns {string} */
function outlined(words, at) {
  const number = (/** @type {string} */ word) => (word.startsWith("y") ? n(-at[word]) : word.startsWith("s") ? n(1 - Number(at[word])) : n(at[word]));
  return words.split(" ").map((word) => (at[word] === undefined ? word : number(word))).join(" ");
}

/** @param {Values} at @returns {Point[]} the points of a shape, with y pointing down */
function points(at) {
  /** @type {Point[]} */
  const all = [];
  for (let k = 1; at[`x${k}`] !== undefined; k++) all.push([Number(at[`x${k}`]), -at[`y${k}`]]);
  return all;
}

/** @param {Values} at @returns {string[]} "x,y" of each point */
function written(at) {
  return points(at).map(([x, y]) => `${n(x)},${n(y)}`);
}

/** @param {Values} at @returns {Record<string, string>} the attributes for a shape's style */
function styled(at) {
  const dash = at.dash1 === undefined ? at.dash : dashes(at);
  const looks = {
    fill: paint(at, "fill"), stroke: paint(at, "stroke"),
    "stroke-width": typeof at.stroke_width === "number" ? size(at.stroke_width) : at.stroke_width,
    "stroke-dasharray": typeof dash === "number" ? size(dash) : dash,
    opacity: typeof at.opacity === "number" ? n(at.opacity) : at.opacity,
  };
  const given = Object.entries(looks).filter(([, value]) => value !== undefined && value !== null && !ADDRESS.test(String(value)));
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** @param {Values} at @param {string} name "fill" or "stroke"
 * @returns {string | number | undefined} the colour as CSS writes it */
function paint(at, name) {
  if (at[`${name}_r`] === undefined) return at[name];
  const parts = ["_r", "_g", "_b"].map((end) => Math.floor(255 * Math.min(Math.max(Number(at[name + end]) || 0, 0), 1) + 0.5));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Values} at @returns {string} the lengths of a dash pattern */
function dashes(at) {
  const lengths = [];
  for (let k = 1; at[`dash${k}`] !== undefined; k++) lengths.push(size(at[`dash${k}`]));
  return lengths.join(" ");
}

/** Draws the arrow heads of a line, polyline or path. A head points away from the last point that is not at its tip. For a
 * Bézier curve, this is the direction of the curve's end. @param {Values} at @returns {Element[]} */
function heads(at) {
  const all = at.arrow === undefined ? [] : points(at);
  const ways = at.arrow === "end" || at.arrow === "both" ? [all] : [];
  if (at.arrow === "start" || at.arrow === "both") ways.push([...all].reverse());
  const length = ARROW * Math.sqrt(Math.max(Number(at.stroke_width), 1));
  return ways.map((way) => {
    const [x1, y1] = way[way.length - 1];
    const [x0, y0] = [...way].reverse().find(([x, y]) => Math.hypot(x1 - x, y1 - y) > SAME) ?? [x1, y1];
    const scale = length / (Math.hypot(x1 - x0, y1 - y0) || 1);
    const [dx, dy] = [(x1 - x0) * scale, (y1 - y0) * scale];
    const side = (/** @type {number} */ sign) =>
      `${n(x1 - dx - sign * ARROW_WIDTH * dy)},${n(y1 - dy + sign * ARROW_WIDTH * dx)}`;
    const corners = `${n(x1)},${n(y1)} ${side(1)} ${side(-1)}`;
    return { tag: "polygon", attributes: { points: corners, fill: styled(at).stroke ?? "none" } };
  });
}

/** @param {unknown} value @returns {string} a number with at most three decimals */
function n(value) {
  return String(Math.round(Number(value) * 1000) / 1000 + 0);
}

/** @param {unknown} value @returns {string} a length, which SVG does not take below 0 */
function size(value) {
  return n(Math.max(Number(value), 0));
}

/** @param {Record<string, string>} attributes @returns {string} */
function attributesText(attributes) {
  return Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
}

/** @param {string} text @returns {string} */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
