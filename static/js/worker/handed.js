// The parts of Python that the page hands to a worker that can fetch nothing.

/** The name of a part of Python, or `package/NAME` for a package that the site serves. @typedef {string} PartName */

export class Handed {
  /** @param {(name: PartName) => void} want asks the page for a part */
  constructor(want) {
    this.want = want;
    /** @type {Map<PartName, {promise: Promise<ArrayBuffer>, resolve: (bytes: ArrayBuffer) => void, reject: (error: Error) => void}>} */
    this.parts = new Map();
  }

  /** Awaits a part that the page sends unasked. @param {PartName} name @returns {Promise<ArrayBuffer>} */
  coming(name) {
    return this.part(name).promise;
  }

  /** Asks the page for a part of Python and waits for it. @param {PartName} name @returns {Promise<ArrayBuffer>}
   * @throws {Error} if the page has none */
  wanted(name) {
    if (!this.parts.has(name)) this.want(name);
    return this.part(name).promise;
  }

  /** @param {PartName} name @param {ArrayBuffer | undefined} bytes undefined for a part that the page does not have */
  take(name, bytes) {
    const { resolve, reject } = this.part(name);
    if (bytes === undefined) reject(new Error(`The page has no ${name} to hand over.`));
    else resolve(bytes);
  }

  /** Forgets a part after its use. A later call of `wanted` asks the page for it again. @param {PartName} name */
  drop(name) {
    this.parts.delete(name);
  }

  /** @private @param {PartName} name */
  part(name) {
    const known = this.parts.get(name);
    if (known !== undefined) return known;
    const part = /** @type {any} */ ({});
    part.promise = new Promise((resolve, reject) => {
      Object.assign(part, { resolve, reject });
    });
    part.promise.catch(() => {}); // an error reaches whoever awaits the part
    this.parts.set(name, part);
    return part;
  }
}
