// Starts a page of the book. Its figures have a script of their own, the same on every site (tools/book.py).

import { attachShell } from "../../page/shell.js";

attachShell(() => {}, { isKept: false });
