// Starts a page of the documentation: the search, and the blocks of Python that visitors can run. Python runs only in the
// sandboxed frame. It loads when the visitor presses Run for the first time.

import { attachShell } from "../../page/shell.js";
import { Blocks } from "./blocks.js";
import { Search } from "./search.js";

/** If the window is at least this wide, the list of documents is open, next to the text. */
const WIDE = "(min-width: 64rem)";

attachShell(() => {}, { isKept: false });
new Blocks(/** @type {HTMLElement} */ (document.querySelector("article")));
new Search(/** @type {HTMLFormElement} */ (document.querySelector("form.search")), /** @type {HTMLElement} */ (document.querySelector(".results")));
const list = /** @type {HTMLDetailsElement} */ (document.querySelector("details.list"));
list.open = matchMedia(WIDE).matches;
