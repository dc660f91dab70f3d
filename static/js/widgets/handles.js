// The grips of a picture as elements for keys and assistive technology. The pointer finds grips by distance instead.

/**
 * A grip (a point of a picture that you can drag), with its position in pixels, and with sentences for screen readers.
 * @template {string | number} [I=string]
 * @typedef {object} Handle
 * @property {I} id
 * @property {string} place a sentence that names the grip and its place
 * @property {string} keys a sentence about the keys that move the grip
 * @property {number} xPx
 * @property {number} yPx
 */

import { SpokenAttribute } from "./spoken-attribute.js";

/** @template {string | number} [I=string] */
export class Handles {
  /** @param {HTMLElement} place @param {(element: HTMLElement, id: I) => void} onNew gives a new element its keys */
  constructor(place, onNew) {
    this.place = place;
    this.onNew = onNew;
    /** @type {Map<I, HTMLElement>} */
    this.elements = new Map();
    /** @type {WeakMap<HTMLElement, SpokenAttribute>} @private */
    this.labels = new WeakMap();
  }

  /** @param {readonly Handle<I>[]} handles in the order of the Tab key @param {readonly I[]} moving the handles that move by
   * themselves now */
  show(handles, moving = []) {
    const wanted = new Set(handles.map(({ id }) => id));
    for (const [id, element] of this.elements) {
      if (wanted.has(id)) continue;
      element.remove();
      this.elements.delete(id);
    }
    this.update(handles, moving);
  }

  /** Updates the labels and positions of these handles. Other handles do not change. @param {readonly Handle<I>[]} handles
   * @param {readonly I[]} moving */
  update(handles, moving = []) {
    for (const { id, place, keys } of handles) this.labels.get(this.elements.get(id) ?? this.add(id))?.set(`${place} ${keys}`, moving.includes(id));
    this.move(handles);
  }

  /** Moves handles that are shown. @param {readonly Handle<I>[]} handles */
  move(handles) {
    for (const { id, xPx, yPx } of handles) {
      const element = this.elements.get(id);
      if (element) element.style.transform = `translate(${xPx.toFixed(1)}px, ${yPx.toFixed(1)}px)`;
    }
  }

  /** The handle with the focus, if any. @returns {I | null} */
  get focused() {
    return [...this.elements].find(([, element]) => element === document.activeElement)?.[0] ?? null;
  }

  /** @param {unknown} near @param {unknown} held */
  mark(near, held) {
    for (const [id, element] of this.elements) {
      element.classList.toggle("is-near", id === near);
      element.classList.toggle("is-held", id === held);
    }
  }

  /** @param {unknown} id */
  focus(id) {
    this.elements.get(/** @type {I} */ (id))?.focus({ preventScroll: true });
  }

  /** @private @param {I} id */
  add(id) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "grip";
    element.dataset.grip = String(id);
    this.place.append(element);
    this.elements.set(id, element);
    this.labels.set(element, new SpokenAttribute(element, "aria-label"));
    this.onNew(element, id);
    return element;
  }
}

/** Finds the handle that is nearest to a point. Returns null if no handle is closer to the point than `reachPx`.
 * @template {string | number} I @param {readonly Handle<I>[]} handles @param {number} xPx
 * @param {number} yPx @param {number} reachPx @returns {{grip: I, xPx: number, yPx: number} | null} */
export function nearestHandle(handles, xPx, yPx, reachPx) {
  let nearest = null;
  let least = reachPx;
  for (const handle of handles) {
    const distance = Math.hypot(handle.xPx - xPx, handle.yPx - yPx);
    if (distance >= least) continue;
    least = distance;
    nearest = { grip: handle.id, xPx: handle.xPx, yPx: handle.yPx };
  }
  return nearest;
}
