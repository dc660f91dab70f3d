// Begins Python before the page's own scripts have come, on a device that keeps all of it (worker/keeping.js), so that none of it
// need travel. On a first visit what can be seen and dragged comes first.

import { beginEarly, isKept } from "./engine/early-python.js";

if (isKept()) beginEarly();
