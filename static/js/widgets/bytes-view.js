// A module's bytes, some in a row; those of an instruction know the place in the program it comes from.

import * as texts from "../texts.js";

/** @typedef {import("../model/provenance.js").Row} Row */
/** @typedef {import("./listing.js").ListingEvents} ListingEvents */

/** Bytes in a row, and the width from which there is room for the wide one. */
const NARROW = 8;
const WIDE = 16;
const WIDE_PX = 420;
const MOST_BYTES = 4096;

export class BytesView {
  /** @param {HTMLElement} root @param {ListingEvents} events */
  constructor(root, events) {
    this.root = root;
    this.events = events;
    /** @type {Map<number, HTMLElement[]>} */
    this.elements = new Map();
    /** @type {HTMLElement[]} */
    this.lit = [];
    root.addEventListener("click", (event) => {
      const places = placesAt(event.target);
      if (places !== null) events.onPick(places);
    });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") events.onHover(placesAt(event.target));
    });
    root.addEventListener("pointerleave", () => events.onHover(null));
  }

  /** @param {Uint8Array} bytes @param {readonly Row[]} rows */
  show(bytes, rows) {
    this.elements.clear();
    this.lit = [];
    const shown = Math.min(bytes.length, MOST_BYTES);
    /** @type {(Row | undefined)[]} */
    const owners = new Array(shown);
    for (const row of rows) owners.fill(row, row.start, row.end);
    const made = [];
    const perRow = (this.root.parentElement?.clientWidth ?? 0) < WIDE_PX ? NARROW : WIDE;
    for (let start = 0; start < shown; start += perRow) made.push(this.row(bytes, owners, start, Math.min(start + perRow, shown)));
    if (shown < bytes.length) {
      const more = document.createElement("p");
      more.textContent = texts.moreBytes(bytes.length - shown);
      made.push(more);
    }
    this.root.replaceChildren(...made);
    this.root.scrollTop = 0;
  }

  /** @param {ReadonlySet<number>} places @param {boolean} reveal */
  light(places, reveal) {
    for (const element of this.lit) element.classList.remove("is-lit");
    this.lit = [...places].flatMap((place) => this.elements.get(place) ?? []);
    for (const element of this.lit) element.classList.add("is-lit");
    if (reveal && this.lit.length > 0) this.lit[0].scrollIntoView({ block: "nearest" });
  }

  /** @private @param {Uint8Array} bytes @param {readonly (Row | undefined)[]} owners @param {number} start @param {number} end */
  row(bytes, owners, start, end) {
    const row = document.createElement("div");
    const address = document.createElement("span");
    address.className = "address";
    address.textContent = start.toString(16).padStart(4, "0");
    row.append(address);
    for (let at = start; at < end; ) {
      const owner = owners[at];
      let stop = at + 1;
      while (stop < end && owners[stop] === owner) stop++;
      row.append(" ", this.piece(bytes.subarray(at, stop), owner));
      at = stop;
    }
    return row;
  }

  /** @private @param {Uint8Array} bytes @param {Row | undefined} owner */
  piece(bytes, owner) {
    const piece = document.createElement("span");
    piece.textContent = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    if (owner !== undefined) {
      piece.dataset.place = String(owner.place);
      piece.classList.add("has-place");
      piece.classList.toggle("is-derived", owner.order > 0);
      const there = this.elements.get(owner.place);
      if (there === undefined) this.elements.set(owner.place, [piece]);
      else there.push(piece);
    }
    return piece;
  }
}

/** @param {EventTarget | null} target @returns {number[] | null} */
function placesAt(target) {
  const piece = target instanceof Element ? target.closest("[data-place]") : null;
  return piece instanceof HTMLElement ? [Number(piece.dataset.place)] : null;
}
