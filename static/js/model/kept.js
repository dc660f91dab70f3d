// A value that is built once and kept.

/** A cache for one value. The value is computed again only after one of its inputs has changed. @template T */
export class Kept {
  constructor() {
    /** @type {T | null} */
    this.value = null;
    /** @type {readonly unknown[]} */
    this.of = [];
  }

  /** @param {readonly unknown[]} of @returns {T | null} the value if it was built from these values */
  known(of) {
    return of.length === this.of.length && of.every((part, k) => part === this.of[k]) ? this.value : null;
  }

  /** @param {readonly unknown[]} of @param {() => T} build @returns {T} */
  get(of, build) {
    const known = this.known(of);
    if (known !== null) return known;
    this.of = of;
    this.value = build();
    return this.value;
  }
}
