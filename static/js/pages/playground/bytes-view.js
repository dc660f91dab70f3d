// Shows a module's bytes in rows. The bytes of each instruction are linked to their place in the program.

import * as texts from "./texts.js";

/** @typedef {import("./provenance.js").Row} Row */
/** @typedef {import("./listing.js").ListingEvents} ListingEvents */

/** A row has NARROW bytes if the view is narrower than WIDE_PX pixels, and WIDE bytes otherwise. */
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
    /** The instruction chosen last. @type {HTMLElement | null} */
    this.active = null;
    root.addEventListener("click", (event) => this.pick(pieceOf(event.target)));
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") events.onHover(placesOf(pieceOf(event.target)));
    });
    root.addEventListener("pointerleave", () => events.onHover(null));
  }

  /** @param {Uint8Array} bytes @param {readonly Row[]} rows */
  show(bytes, rows) {
    this.elements.clear();
    this.lit = [];
    this.active = null;
    const shown = Math.min(bytes.length, MOST_BYTES);
    /** @type {(Row | undefined)[]} */
    const owners = new Array(shown);
    for (const row of rows) {
      // We give each byte to only one row. If a forged list gives the same bytes to many rows, the page still needs no more
      // elements than for a correct list.
      if (row.start !== undefined && owners[row.start] === undefined) owners.fill(row, row.start, row.end);
    }
    const children = [];
    const perRow = (this.root.parentElement?.clientWidth ?? 0) < WIDE_PX ? NARROW : WIDE;
    for (let start = 0; start < shown; start += perRow) children.push(this.row(bytes, owners, start, Math.min(start + perRow, shown)));
    if (shown < bytes.length) {
      const more = document.createElement("p");
      more.textContent = texts.moreBytes(bytes.length - shown);
      children.push(more);
    }
    this.root.replaceChildren(...children);
    this.root.scrollTop = 0;
  }

  /** @param {ReadonlySet<number>} places @param {boolean} reveal */
  light(places, reveal) {
    for (const element of this.lit) element.classList.remove("is-lit");
    this.lit = [...places].flatMap((place) => this.elements.get(place) ?? []);
    for (const element of this.lit) element.classList.add("is-lit");
    if (reveal && this.lit.length > 0) this.lit[0].scrollIntoView({ block: "nearest" });
  }

  /** @private @param {HTMLElement | null} piece */
  pick(piece) {
    const places = placesOf(piece);
    if (places === null) return;
    this.active?.classList.remove("is-active");
    this.active = piece;
    piece?.classList.add("is-active");
    this.events.onPick(places);
  }

  /** Responds to an arrow key. The left key goes to the previous instruction, and the right key to the next. @private
   * @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const pieces = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("[data-place]")]);
    const at = this.active === null ? -1 : pieces.indexOf(this.active);
    const next = pieces[Math.max(0, Math.min(at + step, pieces.length - 1))];
    if (next === undefined) return;
    event.preventDefault();
    next.scrollIntoView({ block: "nearest" });
    this.pick(next);
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

/** @param {EventTarget | null} target @returns {HTMLElement | null} the instruction that contains it */
function pieceOf(target) {
  return target instanceof Element ? target.closest("[data-place]") : null;
}

/** @param {HTMLElement | null} piece @returns {number[] | null} */
function placesOf(piece) {
  return piece === null ? null : [Number(piece.dataset.place)];
}
