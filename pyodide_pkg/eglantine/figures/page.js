// Wake the figures of this page. The page may contain the script several times, and uses the first copy.

import { wakeFigures } from "./figure.js";

/** @type {typeof globalThis & { eglantineFigures?: typeof wakeFigures }} */
const page = globalThis;
page.eglantineFigures ??= wakeFigures;
page.eglantineFigures(document);
addEventListener("DOMContentLoaded", () => page.eglantineFigures?.(document));
