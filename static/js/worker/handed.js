// The parts of Python, as the page hands them to a worker that can fetch nothing.

/** What the worker can want: parts of Python, and `package/NAME` for each package that lies beside the page. @typedef {string} PartName */

export class Handed {
  /** @param {(name: PartName) => void} want asks the page for a part */
  constructor(want) {
    this.want = want;
    /** @type {Map<PartName, {promise: Promise<ArrayBuffer>, resolve: (bytes: ArrayBuffer) => void, reject: (error: Error) => void}>} */
    this.parts = new Map();
  }

  /** A part that the page sends by itself. @param {PartName} name @returns {Promise<ArrayBuffer>} */
  coming(name) {
    return this.part(name).promise;
  }

  /** A part that the page sends if it is asked. @param {PartName} name @returns {Promise<ArrayBuffer>}
   * @throws {Error} the page has none */
  wanted(name) {
    if (!this.parts.has(name)) this.want(name);
    return this.part(name).promise;
  }

  /** @param {PartName} name @param {ArrayBuffer | undefined} bytes undefined for what the page cannot give */
  take(name, bytes) {
    const { resolve, reject } = this.part(name);
    if (bytes === undefined) reject(new Error(`Found no ${name} on the page; expected it beside the page's own files.`));
    else resolve(bytes);
  }

  /** Lets go of what has been used, which can then be asked for once more. @param {PartName} name */
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
    part.promise.catch(() => {}); // who awaits it hears of it
    this.parts.set(name, part);
    return part;
  }
}
