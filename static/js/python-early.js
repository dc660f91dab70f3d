// Begins Python before the page's own scripts have loaded, if this device keeps all of its files (worker/keeping.js) and nothing
// has to be fetched. On a first visit, the things that you can see and drag load first.

import { beginEarly, isKept } from "./engine/early-python.js";

if (isKept()) beginEarly();
