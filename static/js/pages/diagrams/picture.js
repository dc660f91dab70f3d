// Draws a diagram into the page's SVG element, and says which shape lies at a point of the screen.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./drawing.js").Element} Drawn */
/** @typedef {import("./layout.js").Placed} Placed */

import { drawnShapes, elementsOf, haloOf, valuesOf, viewBox } from "./drawing.js";

const SVG = "http://www.w3.org/2000/svg";
/** If there is no shape under the pointer, we look for a shape around it, in this many directions. */
const DIRECTIONS = 8;
/** You can drag a group by any point in the box around its members, or up to this far outside the box. */
const AROUND_PX = 10;
/** While you drag, a coordinate or a length is drawn again only if it has changed by more than this share of the canvas. */
const VISIBLE = 1e-4;
const LENGTHS = /^(?:[xy]\d*|r[xy]?|width|height)$/;

export class DiagramPicture {
  /** @param {HTMLElement} place with the SVG element in it @param {() => void} onResize */
  constructor(place, onResize) {
    this.place = place;
    this.svg = /** @type {SVGSVGElement} */ (place.querySelector("svg"));
    /** @type {DiagramArtifact | null} @private */
    this.artifact = null;
    /** The groups of the shapes that are drawn. @type {Map<number, SVGGElement>} @private */
    this.groups = new Map();
    /** The numbers that were drawn last. @type {Float64Array} @private */
    this.drawn = new Float64Array();
    /** The attributes of each shape as it was drawn last. @type {Record<string, number | string>[]} @private */
    this.values = [];
    /** For each number, the smallest change that is drawn during a drag. @type {number[]} @private */
    this.least = [];
    /** The shapes whose invisible areas must be drawn again, because the shapes have moved. These areas receive the presses of
     * a pointer. @type {Set<number>}
     * @private */
    this.late = new Set();
    /** The marked shapes for each kind of mark. Their halos are visible. @type {Map<string, readonly number[]>} @private */
    this.marked = new Map();
    /** The arrows of forces. @private */
    this.forces = document.createElementNS(SVG, "g");
    this.forces.setAttribute("class", "forces");
    /** The matrix that converts the diagram's coordinates to the screen's coordinates, or null if we must ask the browser for
     * it. We keep it, because the browser must lay out the page to compute it.
     * @type {DOMMatrix | null} @private */
    this.measured = null;
    this.observer = new ResizeObserver(() => {
      this.measured = null;
      onResize();
    });
    this.observer.observe(place);
  }

  /** Draws the shapes that have moved. Each shape also has an invisible area that receives presses. During a drag, we do not
   * move these areas, because no other shape can be pressed.
   * @param {DiagramArtifact} artifact @param {Placed} placed @param {boolean} isHeld true during a drag */
  draw(artifact, { shown }, isHeld) {
    const { places } = artifact;
    const isNew = artifact !== this.artifact;
    if (isNew) this.begin(artifact, shown);
    const { drawn, values, least } = this;
    const moved = isNew ? new Set(this.groups.keys()) : new Set();
    for (let k = 0; k < places.length; k++) {
      if (Math.abs(shown[k] - drawn[k]) <= (isHeld ? least[k] : 0)) continue;
      const [shape, name] = places[k];
      values[shape][name] = drawn[k] = shown[k];
      moved.add(shape);
    }
    this.show(artifact, moved, isHeld && !isNew);
  }

  /** Draws some shapes. @private @param {DiagramArtifact} artifact @param {ReadonlySet<number>} moved @param {boolean} isHeld
   * whether the areas for presses must wait */
  show({ shapes }, moved, isHeld) {
    const { values, late } = this;
    const visible = new Set([...this.marked.values()].flat());
    for (const [k, group] of this.groups) {
      const hasMoved = moved.has(k);
      if (hasMoved && isHeld && !visible.has(k)) late.add(k);
      else if (hasMoved || (late.has(k) && !isHeld)) update(group, 0, haloOf(shapes[k], values[k]));
      if (hasMoved) elementsOf(shapes[k], values[k]).forEach((element, part) => update(group, part + 1, element));
    }
    if (!isHeld) late.clear();
  }

  /** Makes the groups of another diagram. @private @param {DiagramArtifact} artifact
   * @param {ArrayLike<number>} shown the numbers of its layout */
  begin(artifact, shown) {
    this.artifact = artifact;
    this.drawn = Float64Array.from(shown);
    this.values = valuesOf(artifact, shown);
    this.least = artifact.places.map(([, name]) => (LENGTHS.test(name) ? VISIBLE * Math.min(...artifact.size) : 0));
    this.late.clear();
    this.measured = null;
    this.svg.setAttribute("viewBox", viewBox(artifact));
    this.groups.clear();
    for (const k of drawnShapes(artifact)) {
      const { kind, moves } = artifact.shapes[k];
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("class", moves ? `shape is-${kind}` : `shape is-${kind} is-fixed`);
      group.dataset.shape = String(k);
      this.groups.set(k, group);
    }
    this.svg.replaceChildren(...this.groups.values(), this.forces);
  }

  /** @param {SVGPathElement[]} arrows */
  showForces(arrows) {
    this.forces.replaceChildren(...arrows);
  }

  /** Gives these shapes a class, and removes it from all others. @param {string} name @param {readonly number[]} shapes */
  mark(name, shapes) {
    this.marked.set(name, shapes);
    for (const [k, group] of this.groups) group.classList.toggle(name, shapes.includes(k));
  }

  /** Finds the shape that a press at a place of the picture would drag. It is a shape at this place. If there is none, it is a
   * shape near the place. If there is none either, it is the smallest group around the place. @param {number} xPx
   * @param {number} yPx in the picture's pixels
   * @param {number} reachPx how near "near" is, in pixels @returns {number | null} */
  shapeAt(xPx, yPx, reachPx) {
    const { left, top } = this.place.getBoundingClientRect();
    const around = this.groupAt(left + xPx, top + yPx);
    // Between the members of a group, a press takes hold of a member only if the pointer nearly touches this member.
    for (const radius of around === null ? [0, reachPx / 3, (2 * reachPx) / 3] : [0, reachPx / 3]) {
      for (let k = 0; k < (radius === 0 ? 1 : DIRECTIONS); k++) {
        const angle = (2 * Math.PI * k) / DIRECTIONS;
        const hit = this.hitAt(left + xPx + radius * Math.cos(angle), top + yPx + radius * Math.sin(angle));
        if (hit !== null) return around !== null && this.isBelow(hit, around) ? around : hit;
      }
    }
    return around;
  }

  /** @private @param {number} x @param {number} y on the screen
   * @returns {number | null} the topmost shape there that can move */
  hitAt(x, y) {
    for (const element of document.elementsFromPoint(x, y)) {
      const group = /** @type {SVGGElement | null} */ (element.closest(".shape:not(.is-fixed)"));
      if (group !== null && this.svg.contains(group)) return Number(group.dataset.shape);
    }
    return null;
  }

  /** @private @param {number} shape @param {number} group
   * @returns {boolean} whether the shape is drawn before all members of the group */
  isBelow(shape, group) {
    const order = [...this.groups.keys()];
    return this.membersOf([group]).every((member) => order.indexOf(shape) < order.indexOf(member));
  }

  /** @private @param {number} x @param {number} y on the screen
   * @returns {number | null} the smallest group that can move here */
  groupAt(x, y) {
    let [smallest, found] = [Infinity, /** @type {number | null} */ (null)];
    for (const [k, { kind, moves, members }] of this.artifact?.shapes.entries() ?? []) {
      if (kind !== "group" || !moves) continue;
      const boxes = this.membersOf(members).map((member) => /** @type {SVGGElement} */ (this.groups.get(member)).getBoundingClientRect());
      const [left, top] = [Math.min(...boxes.map((box) => box.left)) - AROUND_PX, Math.min(...boxes.map((box) => box.top)) - AROUND_PX];
      const [right, bottom] = [Math.max(...boxes.map((box) => box.right)) + AROUND_PX, Math.max(...boxes.map((box) => box.bottom)) + AROUND_PX];
      const size = (right - left) * (bottom - top);
      if (x >= left && x <= right && y >= top && y <= bottom && size < smallest) [smallest, found] = [size, k];
    }
    return found;
  }

  /** @private @param {readonly number[]} members @returns {number[]} with the members of groups in their place */
  membersOf(members) {
    return members.flatMap((member) => (this.groups.has(member) ? [member] : this.membersOf(this.artifact?.shapes[member].members ?? [])));
  }

  /** @private @returns {DOMMatrix} from the diagram to the picture's pixels, with y still pointing down */
  get matrix() {
    if (this.measured === null) {
      const { left, top } = this.place.getBoundingClientRect();
      const matrix = this.svg.getScreenCTM() ?? new DOMMatrix();
      this.measured = new DOMMatrix([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e - left, matrix.f - top]);
    }
    return this.measured;
  }

  /** @param {Point} point @returns {Point} the place in pixels */
  toPx([x, y]) {
    const { a, d, e, f } = this.matrix;
    return [a * x + e, d * -y + f];
  }

  /** @param {number} xPx @param {number} yPx @returns {Point} the place in the diagram */
  fromPx(xPx, yPx) {
    const { a, d, e, f } = this.matrix;
    return [(xPx - e) / a, (f - yPx) / d];
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** The attributes that we set on each element. Reading them from the element would take longer.
 * @type {WeakMap<Element, Record<string, string>>} */
const given = new WeakMap();

/** Makes a group's part look like an element. @param {SVGGElement} group @param {number} part @param {Drawn} element */
function update(group, part, { tag, attributes, text }) {
  let child = group.children[part];
  if (child === undefined) {
    child = document.createElementNS(SVG, tag);
    if (part === 0) child.setAttribute("class", "halo");
    group.append(child);
  }
  const before = given.get(child) ?? {};
  for (const name in attributes) {
    if (before[name] !== attributes[name]) child.setAttribute(name, attributes[name]);
  }
  given.set(child, attributes);
  if (text !== undefined && child.textContent !== text) child.textContent = text;
}
