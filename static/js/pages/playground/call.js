// A form with fields for a function's arguments. It shows the result of a call.

import * as texts from "./texts.js";

/** @typedef {{name: string, type: string, sample: string}} Parameter */
/** @typedef {{name: string, params: Parameter[], result: string, kinds: string[], size: number}} Signature */
/** The result of a call. `us`: the time of a call of the compiled function, in microseconds, or null if it is unknown.
 * `argument`: the position of the argument that cannot be read, or null if the call fails for another reason.
 * @typedef {{ok: true, value: string, us: number | null} | {ok: false, error: {message: string, line: number | null}, argument: number | null}} Returned */

const QUIET_MS = 150;

export class CallForm {
  /** @param {HTMLFormElement} form @param {(texts: string[]) => void} onCall */
  constructor(form, onCall) {
    this.form = form;
    this.onCall = onCall;
    this.fields = /** @type {HTMLElement} */ (form.querySelector(".fields"));
    this.value = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
    /** The arguments that the visitor has typed. Each key names a function and one of its parameters.
     * @type {Map<string, string>} */
    this.typed = new Map();
    this.timer = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.call();
    });
  }

  /** @param {Signature} signature */
  show(signature) {
    this.fields.replaceChildren(...signature.params.map((param) => this.field(signature.name, param)));
    this.value.value = "";
    this.form.hidden = false;
  }

  hide() {
    this.form.hidden = true;
  }

  /** Calls the function with the texts in the fields. */
  call() {
    clearTimeout(this.timer);
    this.onCall([...this.inputs()].map((input) => input.value));
  }

  /** @param {Returned} returned */
  showReturned(returned) {
    for (const [k, input] of [...this.inputs()].entries()) {
      const isWrong = !returned.ok && returned.argument === k;
      if (isWrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    this.value.classList.toggle("is-error", !returned.ok);
    this.value.value = returned.ok ? returned.value : returned.error.message;
  }

  /** @private @returns {NodeListOf<HTMLInputElement>} */
  inputs() {
    return this.fields.querySelectorAll("input");
  }

  /** @private @param {string} owner @param {Parameter} param */
  field(owner, { name, type, sample }) {
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = name;
    const input = document.createElement("input");
    const key = `${owner}(${name}: ${type})`;
    input.name = name;
    input.value = this.typed.get(key) ?? sample;
    input.title = type;
    input.autocapitalize = "off";
    input.spellcheck = false;
    input.setAttribute("aria-label", texts.argumentLabel(name, type));
    input.size = Math.max(6, Math.min(input.value.length + 1, 28));
    input.addEventListener("input", () => {
      this.typed.set(key, input.value);
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.call(), QUIET_MS);
    });
    label.append(text, " ", input);
    return label;
  }
}
