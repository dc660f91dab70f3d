// Opens a program from a file, by a button or by dropping it, and saves the program as a file.

import { isProgram } from "../../model/fragment.js";
import { download } from "../../widgets/downloads.js";
import * as texts from "./texts.js";

const FILE = "program.py";
const LONGEST = 100_000;

/** @param {HTMLElement} root @param {import("../../widgets/code-editor.js").CodeEditor} editor @param {(text: string) => void} take
 * @param {(message: string) => void} say */
export function attachFiles(root, editor, take, say) {
  const input = /** @type {HTMLInputElement} */ (root.querySelector("[name=file]"));
  const open = async (/** @type {File | undefined} */ file) => {
    if (file === undefined) return;
    const text = file.size > LONGEST ? null : (await file.text()).replaceAll("\r\n", "\n");
    const isFine = text !== null && isProgram(text);
    say(isFine ? texts.openedFile(file.name) : texts.notOpened(file.name));
    if (isFine) take(text);
  };
  root.querySelector(".open-file")?.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    await open(input.files?.[0]);
    input.value = ""; // so that the same file can be opened again
  });
  root.querySelector(".save-file")?.addEventListener("click", () => download(FILE, new Blob([editor.text], { type: "text/x-python" })));
  // In the capturing phase, because the editor would insert a dropped file's text.
  const hasFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  editor.root.addEventListener("dragover", (event) => {
    if (hasFile(event)) event.preventDefault();
  }, { capture: true });
  editor.root.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    event.stopPropagation();
    open(event.dataTransfer?.files[0]);
  }, { capture: true });
}
