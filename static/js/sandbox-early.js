// Starts the sandboxed Python before the page's own scripts have loaded, as python-early.js does on the other pages.

import { isKept } from "./engine/early-python.js";
import { beginEarlySandbox } from "./engine/sandbox.js";

if (isKept()) beginEarlySandbox();
