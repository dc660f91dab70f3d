// Runs the blocks of Python in a document. A block may use names that earlier blocks define. So the button Run first runs the
// earlier blocks that the block needs. The build has found out which blocks these are.

import * as texts from "./texts.js";

/** A character that separates the output of earlier blocks from the output of the block that the visitor runs. We first run the
 * earlier blocks, then print this mark, and then run the block itself. The page shows only the output after the mark. */
const MARK = "\u001e";
const SAY_MARK = `print(${JSON.stringify(MARK)}, end="")`;

export class Blocks {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.cells = new Map([...root.querySelectorAll(".cell")].map((cell) => [
      Number(/** @type {HTMLElement} */ (cell).dataset.cell), /** @type {HTMLElement} */ (cell)]));
    /** @type {Promise<import("./runner.js").Runner> | null} */
    this.runner = null;
    for (const [number, cell] of this.cells) this.attach(number, cell);
  }

  /** @private @param {number} number @param {HTMLElement} cell */
  attach(number, cell) {
    const open = /** @type {HTMLAnchorElement | null} */ (cell.querySelector("a.open"));
    if (open !== null) open.href = `playground.html#v=1&code=${encodeURIComponent(this.program(number))}`;
    cell.querySelector("button.run")?.addEventListener("click", () => this.run(number, cell));
  }

  /** @private @param {number} number @returns {string[]} the code of the blocks that this block needs, then its own */
  codes(number) {
    const needed = this.cells.get(number)?.dataset.needs?.split(" ").filter(Boolean).map(Number) ?? [];
    return [...needed, number].map((k) => this.cells.get(k)?.querySelector("code")?.textContent ?? "");
  }

  /** @private @param {number} number */
  program(number) {
    return this.codes(number).join("\n");
  }

  /** @private @param {number} number @param {HTMLElement} cell */
  async run(number, cell) {
    const say = (/** @type {string} */ sentence) => {
      noteOf(cell).textContent = sentence;
    };
    const button = /** @type {HTMLButtonElement} */ (cell.querySelector("button.run"));
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    say(texts.loading(0));
    try {
      this.runner ??= import("./runner.js").then(({ startRunner }) => startRunner());
      const runner = await this.runner;
      const codes = this.codes(number);
      const own = codes.pop() ?? "";
      const text = codes.length > 0 ? [...codes, SAY_MARK, own].join("\n") : own;
      const ran = await runner.run(text, say);
      const isSame = showOutput(cell, ran.output.slice(ran.output.indexOf(MARK) + 1));
      say(isSame ? `${ran.note} ${texts.SAME_OUTPUT}` : ran.note);
    } catch {
      this.runner = null;
      say(texts.NO_PROGRAM);
    }
    button.removeAttribute("aria-disabled");
  }
}

/** @param {HTMLElement} cell @returns {HTMLElement} where the page says what a run did */
function noteOf(cell) {
  const bar = /** @type {HTMLElement} */ (cell.querySelector(".bar"));
  const known = bar.querySelector(".note");
  if (known !== null) return /** @type {HTMLElement} */ (known);
  const note = Object.assign(document.createElement("span"), { className: "note" });
  note.setAttribute("role", "status");
  bar.append(note);
  return note;
}

/** Shows the output of a block below the block, in place of the output of an earlier run. Shows nothing if the document itself
 * has the same output there.
 * @param {HTMLElement} cell @param {string} output @returns {boolean} true if the document has the same output */
function showOutput(cell, output) {
  cell.querySelector(".ran")?.remove();
  const expected = cell.querySelector("pre:not(.ran) samp")?.textContent;
  const isSame = expected?.trim() === output.trim();
  if (isSame || output.trim() === "") return isSame;
  const shown = Object.assign(document.createElement("pre"), { className: "ran" });
  const samp = Object.assign(document.createElement("samp"), { textContent: output });
  shown.append(samp);
  cell.append(shown);
  return false;
}
