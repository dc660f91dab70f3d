// Starts a page of the book. Its figures have a script of their own, the same on every site (tools/book.py).

import { attachShell } from "../../page/shell.js";
import { listenToAnswers } from "./answers.js";

attachShell(() => {}, { isKept: false });
listenToAnswers(document);
