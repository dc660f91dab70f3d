// The playground: a program, its output, and the steps by which one of its functions becomes WebAssembly. Nothing runs until
// you press Run.

import { attachArchive } from "../../widgets/exports.js";
import { CodeEditor } from "../../widgets/code-editor.js";
import { CallForm } from "./call.js";
import { CodeHelp } from "./code-help.js";
import { Examples } from "./examples.js";
import { attachFiles } from "./files.js";
import { ProgramKeeping } from "./keeping.js";
import { decode, encode } from "./link.js";
import { OutputLog } from "./output-log.js";
import { Panes } from "./panes.js";
import { ProgramOrigin } from "./origin.js";
import { ProgramList } from "./program-list.js";
import * as texts from "./texts.js";

/** @typedef {import("./session.js").PlaygroundSession} Session */
/** @typedef {import("../../engine/python-worker.js").Failure} Failure */
/** @typedef {import("./call.js").Signature} Signature */
/** @typedef {{message: string, kind: string, line: number | null, from: number | null, to: number | null, trace?: [number, string][]}} Trouble */

/** The page calls a function automatically if the function's arguments and result contain at most this many scalars. */
const MOST_SCALARS = 100_000;
/** The example with which the page begins. */
const [FIRST] = Object.keys(texts.PROGRAMS);

export class Playground {
  /** @param {HTMLElement} root @param {Session} session */
  constructor(root, session) {
    this.root = root;
    this.session = session;
    this.exportButton = /** @type {HTMLButtonElement} */ (root.querySelector(".export"));
    this.runButton = /** @type {HTMLButtonElement} */ (root.querySelector(".run"));
    this.stopButton = /** @type {HTMLButtonElement} */ (root.querySelector(".stop"));
    this.list = new ProgramList(/** @type {HTMLSelectElement} */ (root.querySelector("[name=program]")), {
      onExample: (name) => this.pick(name),
      onOwn: () => this.take(this.keeping.swap() ?? this.editor.text, ""),
    });
    this.limit = /** @type {HTMLSelectElement} */ (root.querySelector("[name=limit]"));
    this.functions = /** @type {HTMLSelectElement} */ (root.querySelector("[name=function]"));
    this.kinds = /** @type {HTMLSelectElement} */ (root.querySelector("[name=kind]"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".notice"));
    this.cost = /** @type {HTMLElement} */ (root.querySelector(".cost"));
    this.output = new OutputLog(/** @type {HTMLElement} */ (root.querySelector(".output")));
    this.editor = new CodeEditor(/** @type {HTMLElement} */ (root.querySelector(".code")), texts.PROGRAM, {
      onChange: () => this.changed(),
      onEdit: () => this.edited(),
      onSelect: (from, to) => {
        this.selected(from, to);
        if (this.editor.hasFocus) this.help.write(to);
      },
      onHover: (at) => {
        this.help.point(at);
        if (this.isCurrent) this.panes.hover(at);
      },
      onRun: () => this.run(),
      names: () => session.names(),
    });
    this.help = new CodeHelp(/** @type {HTMLElement} */ (root.querySelector(".code-help")), this.editor, () => session.names());
    this.keeping = new ProgramKeeping(() => this.editor.text);
    this.origin = new ProgramOrigin();
    this.examples = new Examples();
    /** The number (origin.js) of the program that ran last. @type {number | null} */
    this.ranOrigin = null;
    this.panes = new Panes(root, (spans, reveal) => this.editor.light(this.isCurrent ? spans : [], reveal));
    this.form = new CallForm(/** @type {HTMLFormElement} */ (root.querySelector(".call")), (args) => this.call(args));
    /** @type {Signature[]} */
    this.signatures = [];
    /** The program that ran last. @type {string | null} */
    this.ran = null;
    /** The function shown. @type {{name: string, kind: string, reply: any} | null} */
    this.shown = null;
    this.isRunning = false;
    /** Python's status. @type {import("../../engine/python-worker.js").Status | null} */
    this.status = null;
    this.attach();
  }

  /** True if the page shows a function, and the program has not been edited since its last run. */
  get isCurrent() {
    return this.shown !== null && this.ran === this.editor.text;
  }

  /** @param {string} fragment of a shared link, or "" */
  async begin(fragment) {
    if (this.open(fragment)) return;
    const last = this.keeping.last;
    if (last !== null) this.take(last, "");
    else await this.pick(FIRST);
  }

  /** Puts a shared link's program into the editor and returns true. If the link is refused, shows the reason and returns false.
   * @param {string} fragment the link's fragment, or "" if there is no link @returns {boolean} true if there is a program */
  open(fragment) {
    if (fragment === "") return false;
    const shared = decode(fragment);
    const isProgram = "text" in shared;
    const known = this.keeping.isOwnLink ? "" : texts.FROM_LINK;
    this.say(isProgram ? known : texts.PROGRAM_REFUSED[shared.refused]);
    if (isProgram) this.take(shared.text, "");
    return isProgram;
  }

  /** Puts a program into the editor. @param {string} text @param {string} name of an example, or "" for your own */
  take(text, name) {
    this.examples.drop();
    this.keeping.save();
    this.editor.text = text;
    this.keeping.taken(text);
    this.origin.opened(text);
    this.list.offerOwn(this.keeping.other !== null);
    this.list.show(name);
    this.editor.showMistakes([]);
    this.changed();
  }

  /** @param {import("../../engine/python-worker.js").Status} status */
  showStatus(status) {
    const python = /** @type {HTMLElement} */ (this.root.querySelector(".python"));
    const retry = /** @type {HTMLElement} */ (this.root.querySelector(".retry"));
    python.textContent = status.phase === "loading" ? texts.loading(status.share) : status.phase === "ready" ? texts.PYTHON_READY : texts.NO_PYTHON_HERE;
    retry.hidden = status.phase !== "failed";
    this.root.dataset.python = status.phase;
    this.status = status;
    this.offerStop();
  }

  /** @private @param {string | null} name of a package that is loading for a program, or null once it has loaded */
  showLoading(name) {
    const python = /** @type {HTMLElement} */ (this.root.querySelector(".python"));
    if (name !== null) python.textContent = texts.loadingPackage(name);
    else if (this.status !== null) this.showStatus(this.status);
  }

  async run() {
    if (this.isRunning) return;
    if (this.status?.phase === "failed") {
      this.output.clear();
      this.output.remark(texts.NO_PYTHON_TO_RUN);
      return;
    }
    this.setRunning(true);
    await this.examples.arrived();
    const text = this.editor.text;
    this.say("");
    this.output.clear();
    this.editor.showMistakes([]);
    this.keeping.save();
    const seconds = Number(this.limit.value);
    const isEdit = this.origin.current === this.ranOrigin;
    this.ranOrigin = this.origin.current;
    const reply = await this.session.run(text, 1000 * seconds, {
      onPrinted: (piece) => this.output.print(piece),
      onShown: (picture) => this.output.picture(picture),
      onLoading: (name) => this.showLoading(name),
    }, isEdit);
    this.setRunning(false);
    if ("superseded" in reply) return;
    this.ran = text;
    if ("error" in reply) this.lose(reply, seconds);
    else if (reply.answer.ok) await this.showRan(reply.answer);
    else {
      this.forget();
      this.showTrouble(reply.answer.error);
    }
  }

  /** Stops the program. If the program has ended but left timers running, stops the timers. */
  stop() {
    if (!this.session.stop()) this.lose({ error: "stopped" }, 0);
  }

  destroy() {
    this.keeping.destroy();
    this.editor.destroy();
    this.session.destroy();
  }

  /** @private */
  attach() {
    const buttons = { ".run": () => this.run(), ".stop": () => this.stop(), ".share": () => this.share(), ".retry": () => this.session.retry() };
    for (const [selector, action] of Object.entries(buttons)) this.root.querySelector(selector)?.addEventListener("click", action);
    attachArchive(this.exportButton, () => this.exported(), (message) => this.say(message));
    attachFiles(this.root, this.editor, (text) => this.take(text, ""), (message) => this.say(message));
    this.functions.addEventListener("change", () => this.choose());
    this.kinds.addEventListener("change", () => this.show());
  }

  /** @private @param {string} name of an example */
  pick(name) {
    return this.examples.fetch(name, (text) => (text === null ? this.say(texts.NO_PROGRAM) : this.take(text, name)));
  }

  /** @private */
  edited() {
    this.keeping.edited();
    this.origin.edited(this.editor.text);
    this.list.show("");
    this.list.offerOwn(this.keeping.other !== null);
  }

  /** @private */
  changed() {
    const isStale = this.shown !== null && !this.isCurrent;
    this.root.classList.toggle("is-stale", isStale);
    this.exportButton.disabled = this.shown === null || this.signatures.length === 0; // without signatures, its Python has ended
    if (isStale) this.panes.release();
  }

  /** @private @param {number} from @param {number} to */
  selected(from, to) {
    if (this.isCurrent) this.panes.hold(from, to);
  }

  /** @private @param {boolean} isRunning */
  setRunning(isRunning) {
    this.isRunning = isRunning;
    // The button keeps the focus, so that you can press it again with a key when the program has ended.
    this.runButton.setAttribute("aria-disabled", String(isRunning));
    this.offerStop();
    this.root.classList.toggle("is-running", isRunning);
  }

  /** Enables the button Stop while a program runs. The button stays enabled after the program ends, because timers may still
   * run. @private */
  offerStop() {
    this.stopButton.disabled = !this.isRunning && !this.session.hasProgram;
    this.stopButton.title = this.isRunning || !this.session.hasProgram ? "" : texts.STOP_LEFT;
  }

  /** @private @param {{value: string | null, functions: Signature[], ms: number}} answer */
  async showRan({ value, functions, ms }) {
    if (value !== null) this.output.value(value);
    this.output.remark(texts.ranIn(ms, functions.length));
    this.signatures = functions;
    const before = this.functions.value;
    this.functions.replaceChildren(...functions.map(({ name }) => new Option(name)));
    this.functions.disabled = this.kinds.disabled = functions.length === 0;
    this.functions.value = functions.some(({ name }) => name === before) ? before : (functions.at(-1)?.name ?? "");
    if (functions.length > 0) await this.choose();
    else {
      this.kinds.replaceChildren();
      this.form.hide();
      this.clearShown();
    }
  }

  /** @private */
  async choose() {
    const signature = this.signature();
    if (signature === undefined) return;
    const before = this.kinds.value;
    this.kinds.replaceChildren(...signature.kinds.map((kind) => new Option(texts.DERIVATIVE_KINDS[kind] ?? kind, kind)));
    const wanted = [before, "gradient", "jacobian", "value"].find((kind) => signature.kinds.includes(kind));
    this.kinds.value = wanted ?? signature.kinds[0];
    this.form.show(signature);
    await this.show();
  }

  /** @private @returns {Signature | undefined} */
  signature() {
    return this.signatures.find(({ name }) => name === this.functions.value);
  }

  /** @private */
  async show() {
    const [name, kind] = [this.functions.value, this.kinds.value];
    const reply = await this.session.show(name, kind);
    if ("superseded" in reply) return;
    if ("error" in reply) this.lose(reply, 0);
    else if (!reply.answer.ok) {
      this.clearShown();
      this.showTrouble(reply.answer.error);
    } else {
      this.shown = { name, kind, reply: reply.answer };
      this.panes.show(reply.answer, reply.modules[0]);
      this.root.classList.add("has-shown");
      this.changed();
      this.selected(...this.editor.selection);
      this.showCost(null);
      if ((this.signature()?.size ?? 0) <= MOST_SCALARS) this.form.call();
    }
  }

  /** @private @param {string[]} args */
  async call(args) {
    const { shown } = this;
    if (shown === null) return;
    const reply = await this.session.call(this.functions.value, this.kinds.value, args, (piece) => this.output.print(piece));
    if ("superseded" in reply || shown !== this.shown) return;
    if ("error" in reply) {
      this.lose(reply, 0);
      return;
    }
    this.form.showReturned(reply.answer);
    this.showCost(reply.answer.ok ? reply.answer.us : null);
  }

  /** @private @returns {Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} */
  async exported() {
    if (this.shown === null) return null;
    const files = await this.session.export(this.shown.name, this.shown.kind);
    if (files === null) throw new Error("Python did not answer.");
    return { name: "program", files, say: texts.exported(files.size) };
  }

  /** @private @param {number | null} us */
  showCost(us) {
    if (this.shown === null) return;
    const { ms, bytes } = this.shown.reply.cost;
    this.cost.textContent = texts.playgroundCost(ms, bytes, us);
  }

  /** @private @param {Trouble} error */
  showTrouble({ message, line, from, to, trace }) {
    this.output.mistake(message, { line, trace }, (at) => this.goTo(at));
    if (from !== null && to !== null) this.editor.showMistakes([{ from, to, message }]);
  }

  /** Shows why Python ended, and forgets the program's functions. The program stays in the editor.
   * @private @param {{error: Failure, told?: {error?: Trouble}}} reply
   * @param {number} seconds the time limit of the program, or 0 for other requests */
  lose({ error, told }, seconds) {
    this.output.ended(texts.LOST[error](seconds), told?.error ?? { line: null }, (at) => this.goTo(at));
    this.forget();
  }

  /** @private @param {number} line from 1 */
  goTo(line) {
    this.editor.goTo(startOfLine(this.editor.text, line));
  }

  /** Empties the lists of functions, because no function can be called any more. The listing stays visible but is dimmed.
   * @private */
  forget() {
    this.signatures = [];
    this.functions.replaceChildren();
    this.kinds.replaceChildren();
    this.functions.disabled = this.kinds.disabled = true;
    this.form.hide();
    this.ran = null;
    this.changed();
  }

  /** @private */
  clearShown() {
    this.shown = null;
    this.cost.textContent = "";
    this.root.classList.remove("has-shown", "is-stale");
    this.exportButton.disabled = true;
    this.panes.show({ stages: [], wat: { lines: [], rows: [], folds: [] }, places: [], tokens: [] }, new Uint8Array());
  }

  /** @private */
  async share() {
    const fragment = encode(this.editor.text);
    if (fragment === null) {
      this.say(texts.PROGRAM_TOO_LONG);
      return;
    }
    this.keeping.link(fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(texts.COPIED);
    } catch {
      this.say(texts.NOT_COPIED);
    }
  }

  /** @private @param {string} sentence */
  say(sentence) {
    this.note.textContent = sentence;
  }
}

/** @param {string} text @param {number} line from 1 @returns {number} the position where it begins */
function startOfLine(text, line) {
  return text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
}
