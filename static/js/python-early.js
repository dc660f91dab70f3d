// Starts Python before the page's own scripts have loaded, if this device has stored all of Python's files (worker/keeping.js).
// On a first visit, these files must be fetched. The parts of the page that you can see and drag then load before them.

import { beginEarly, isKept } from "./engine/early-python.js";

if (isKept()) beginEarly();
