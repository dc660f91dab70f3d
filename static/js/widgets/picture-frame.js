// Shows pictures that a visitor's program made, in a sandboxed frame. The page passes the pictures on without reading them.

import { sandboxedFrame } from "../engine/workers.js";

/** We remove a frame that has not answered for this long. A function in the frame probably never ends. */
const LONGEST_SILENCE_MS = 10_000;
const PAUSE_MS = 2000;
/** The largest height of a frame in pixels. The limit prevents a program from making the page very long. */
const TALLEST = 20_000;

export class PictureFrame {
  /** @param {HTMLElement} root to which the frame is added @param {string} label @param {() => void} onLost called if the frame had to be removed */
  constructor(root, label, onLost) {
    this.onLost = onLost;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.port.onmessage = ({ data }) => this.hear(data);
    /** @type {HTMLIFrameElement} */
    this.frame = sandboxedFrame("pictures", root);
    this.frame.className = "pictures";
    this.frame.title = label;
    this.frame.addEventListener("load", () => this.frame.contentWindow?.postMessage(null, "*", [port2]), { once: true });
    this.silence = 0;
    this.pause = 0;
    this.theme = new MutationObserver(() => this.tellTheme());
    this.theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.onTheme = () => this.tellTheme();
    this.dark.addEventListener("change", this.onTheme);
    this.tellTheme();
    this.ask();
  }

  /** @param {string} shown JSON made by app/playground/pictures.py */
  draw(shown) {
    this.port.postMessage({ kind: "draw", shown });
  }

  destroy() {
    clearTimeout(this.silence);
    clearTimeout(this.pause);
    this.theme.disconnect();
    this.dark.removeEventListener("change", this.onTheme);
    this.port.close();
    this.frame.remove();
  }

  /** @private @param {any} data anything: a program may have taken over the frame */
  hear(data) {
    if (data?.kind === "pong") {
      clearTimeout(this.silence);
      this.pause = window.setTimeout(() => this.ask(), PAUSE_MS);
    } else if (data?.kind === "height" && Number.isFinite(data.px)) {
      this.frame.style.height = `${Math.min(Math.max(0, Math.ceil(data.px)), TALLEST)}px`;
    }
  }

  /** Asks whether the frame still responds. @private */
  ask() {
    clearTimeout(this.silence);
    this.port.postMessage({ kind: "ping" });
    this.silence = window.setTimeout(() => {
      if (document.hidden) return this.ask(); // a hidden page's frames may sleep
      this.destroy();
      return this.onLost();
    }, LONGEST_SILENCE_MS);
  }

  /** @private */
  tellTheme() {
    const { theme } = document.documentElement.dataset;
    const scheme = theme === "light" || theme === "dark" ? theme : this.dark.matches ? "dark" : "light";
    this.port.postMessage({ kind: "theme", scheme });
    this.frame.style.colorScheme = scheme;
  }
}
