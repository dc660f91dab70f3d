// The saved views: a list that you can name, order and remove, and the presentation that steps through it.

/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Saved} Saved */
/** @typedef {import("../../model/types.js").View} View */
/**
 * @typedef {object} Page the parts of the page that a lecture uses
 * @property {HTMLElement} root
 * @property {Doc} doc
 * @property {View} view
 * @property {(doc: Doc, tag: string | null) => void} change replaces the document
 * @property {(doc: Doc, view: View) => void} visit shows a saved view
 * @property {(scale: number) => void} enlarge enlarges everything in the pictures by a factor
 * @property {(message: string) => void} notify shows a message
 */

import { canSave } from "../../model/link.js";
import * as docs from "../../model/doc.js";
import * as texts from "./texts.js";

/** A window of this size needs no larger type. */
const PLAIN_PX = 760;
const PLAIN_HEIGHT_PX = 540;
const LARGEST = 2;
const SMALLEST_ENLARGED = 1.15;

export class Lecture {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.list = this.find(".saved");
    this.bar = this.find(".presenting");
    /** @type {readonly Saved[]} */
    this.shown = [];
    /** The number of the saved view on the screen, or −1 if the presentation has not shown a saved view yet. */
    this.index = -1;
    this.isPresenting = false;
    this.wasFull = false;
    const actions = /** @type {[string, () => void][]} */ ([
      [".previous-view", () => this.step(-1)],
      [".next-view", () => this.step(1)],
      [".leave", () => this.leave()],
    ]);
    for (const [selector, action] of actions) this.find(selector).addEventListener("click", action);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    this.onFull = () => {
      if (this.wasFull && document.fullscreenElement === null) this.leave();
      this.wasFull = document.fullscreenElement !== null;
      this.resize();
    };
    this.onResize = () => this.resize();
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("fullscreenchange", this.onFull);
    window.addEventListener("resize", this.onResize);
  }

  /** @private @param {string} selector @returns {any} the element, which quadratic.html has */
  find(selector) {
    return this.page.root.querySelector(selector);
  }

  /** Shows the list. @param {Doc} doc */
  show({ saved, text }) {
    if (saved !== this.shown) {
      const isSameList = saved.length === this.shown.length && saved.every(({ name }, k) => name === this.shown[k].name);
      this.shown = saved;
      if (!isSameList) this.list.replaceChildren(...saved.map((view, k) => this.item(view, k)));
    }
    if (!this.isPresenting) return;
    this.find(".caption").textContent = texts.caption(saved[this.index]?.name ?? "", text);
    this.find(".view-count").textContent = saved.length === 0 ? "" : texts.viewCount(this.index + 1, saved.length);
    this.find(".previous-view").disabled = this.index <= 0;
    this.find(".next-view").disabled = this.index >= saved.length - 1;
  }

  /** @private @param {Saved} view @param {number} k @returns {HTMLLIElement} */
  item({ name }, k) {
    const item = document.createElement("li");
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {string} */ name_, /** @type {() => void} */ action) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: name_, ariaLabel: label });
      made.addEventListener("click", action);
      return made;
    };
    const input = Object.assign(document.createElement("input"), { value: name, maxLength: docs.LONGEST_NAME, ariaLabel: texts.viewName(k + 1) });
    input.addEventListener("change", () => {
      this.change(docs.renameView(this.page.doc, k, input.value));
      input.value = this.page.doc.saved[k]?.name ?? "";
    });
    const up = button("\u2191", texts.moveViewUp(name), "up", () => this.move(k, -1));
    const down = button("\u2193", texts.moveViewDown(name), "down", () => this.move(k, 1));
    up.disabled = k === 0;
    down.disabled = k === this.shown.length - 1;
    item.append(
      button(texts.SHOW_VIEW, texts.showView(name), "visit", () => this.visit(k)),
      input,
      up,
      down,
      button("\u00d7", texts.removeView(name), "remove", () => this.change(docs.removeView(this.page.doc, k))),
    );
    return item;
  }

  /** @private @param {Doc} doc */
  change(doc) {
    this.page.change(doc, null);
  }

  /** Adds the picture as it is to the saved views. */
  save() {
    const { doc, view } = this.page;
    const next = docs.saveView(doc, view, texts.newView(doc.saved.length + 1));
    if (canSave(next)) this.change(next);
    else this.page.notify(texts.LECTURE_FULL);
  }

  /** Moves a saved view up or down in the list, and keeps the focus on the view's button. @private @param {number} k
   * @param {number} by */
  move(k, by) {
    this.change(docs.moveView(this.page.doc, k, by));
    this.show(this.page.doc);
    const buttons = this.list.children[k + by]?.querySelectorAll("button.up, button.down") ?? [];
    const [wanted, other] = by < 0 ? buttons : [...buttons].reverse();
    (wanted?.disabled ? other : wanted)?.focus();
  }

  /** @private @param {number} k */
  visit(k) {
    const saved = this.page.doc.saved[k];
    if (saved === undefined) return;
    this.index = k;
    this.page.visit({ ...saved.doc, saved: this.page.doc.saved }, saved.view);
  }

  /** Begins a presentation of the saved views: shows only the pictures, with large letters. */
  present() {
    this.isPresenting = true;
    this.page.root.dataset.presenting = "";
    this.bar.hidden = false;
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.index = -1;
    this.resize();
    if (this.page.doc.saved.length > 0) this.visit(0);
    this.show(this.page.doc);
    this.find(".next-view").focus();
    if (document.activeElement !== this.find(".next-view")) this.find(".leave").focus();
  }

  /** Ends the presentation. */
  leave() {
    if (!this.isPresenting) return;
    this.isPresenting = false;
    delete this.page.root.dataset.presenting;
    this.bar.hidden = true;
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
    this.resize();
    this.find(".present").focus();
  }

  /** Goes to another view. @private @param {number} by */
  step(by) {
    const next = Math.min(Math.max(this.index + by, 0), this.page.doc.saved.length - 1);
    if (next !== this.index && next >= 0) this.visit(next);
    this.show(this.page.doc);
    // A disabled button loses the focus. Then keys would no longer reach the page.
    if (document.activeElement === document.body) this.find(".leave").focus();
  }

  /** @private @param {KeyboardEvent} event */
  press(event) {
    if (!this.isPresenting || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.leave();
      return;
    }
    // The keys of the pictures come first. Presenters' remote controls send PageUp and PageDown.
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest("dialog, input") !== null)) return;
    const onButton = event.target instanceof HTMLButtonElement;
    const by = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": onButton ? 0 : 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity }[event.key] ?? 0;
    if (by === 0) return;
    event.preventDefault();
    this.step(by);
  }

  /** @private */
  resize() {
    const { clientWidth, clientHeight } = document.documentElement;
    const room = Math.min(clientWidth / PLAIN_PX, clientHeight / PLAIN_HEIGHT_PX);
    this.page.enlarge(this.isPresenting ? Math.min(Math.max(room, SMALLEST_ENLARGED), LARGEST) : 1);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("fullscreenchange", this.onFull);
    window.removeEventListener("resize", this.onResize);
  }
}
