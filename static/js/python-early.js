// Starts Python before the page's own scripts have loaded, if this device has kept all of Python's files (worker/keeping.js).
// On a first visit they must be fetched, so the things that you can see and drag load first.

import { beginEarly, isKept } from "./engine/early-python.js";

if (isKept()) beginEarly();
