// Opens pages in the system's Firefox, and prints one line of JSON for each page: its name, its errors, and what was seen.
// It controls Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), because Playwright cannot do this.
//
// Usage: node bidi.mjs FIREFOX PROFILE ADDRESS PAGES. The argument PAGES lists names, separated by commas.

import { spawn } from "node:child_process";
import { argv, stdout } from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";

const { WebSocket } = globalThis;
const [firefox, profile, site, names] = argv.slice(2);
const START_MS = 60_000;
const WAIT_MS = 60_000;
const PAUSE_MS = 100;
/** Gives Python ten times as long for a formula, like the other tests' pages. */
const PATIENT = `() => {
  const plain = self.setTimeout;
  self.setTimeout = (act, ms, ...given) => plain(act, ms === 2000 || ms === 4000 ? 10 * ms : ms, ...given);
}`;
const QUIET_POLLS = 6;

class Session {
  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    this.id = 0;
    this.waiting = new Map();
    this.errors = [];
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "event") {
        const { level, text } = message.params;
        if (message.method === "log.entryAdded" && level === "error") this.errors.push(text);
        return;
      }
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "success") resolve(message.result);
      else reject(new Error(`${message.error}: ${message.message}`));
    });
  }

  send(method, params) {
    this.id += 1;
    this.socket.send(JSON.stringify({ id: this.id, method, params }));
    return new Promise((resolve, reject) => {
      this.waiting.set(this.id, { resolve, reject });
    });
  }

  async evaluate(context, expression) {
    const options = { expression, target: { context }, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("script.evaluate", options);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  }

  async until(context, expression, what) {
    for (let waited = 0; waited < WAIT_MS; waited += PAUSE_MS) {
      if (await this.evaluate(context, expression)) return;
      await pause(PAUSE_MS);
    }
    throw new Error(`Waited too long for ${what}.`);
  }
}

/** Waits until the page asks for nothing more. If we left the page while its modules load, it would report errors. */
async function untilQuiet(session, context) {
  let [before, polls] = [-1, 0];
  for (let waited = 0; polls < QUIET_POLLS && waited < WAIT_MS; waited += PAUSE_MS) {
    const now = await session.evaluate(context, "performance.getEntriesByType('resource').length");
    polls = now === before ? polls + 1 : 0;
    before = now;
    await pause(PAUSE_MS);
  }
}

async function startFirefox() {
  const browser = spawn(firefox, ["--headless", "--remote-debugging-port=0", "--profile", profile, "about:blank"]);
  const address = await new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`Firefox did not start:\n${said}`)), START_MS);
    browser.stderr.on("data", (piece) => {
      said += piece;
      const match = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match[1]);
    });
    browser.on("exit", (code) => reject(new Error(`Firefox ended with ${code}:\n${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("No connection to Firefox.")));
  });
  return { browser, session: new Session(socket) };
}

/** Drags the handle of the Quadratic page by 40 pixels. */
async function drag(session, context) {
  const place = JSON.parse(await session.evaluate(context, `(() => {
    const { left, top, width, height } = document.querySelector(".handle").getBoundingClientRect();
    return JSON.stringify([Math.round(left + width / 2), Math.round(top + height / 2)]);
  })()`));
  const move = (x, y) => ({ type: "pointerMove", x, y, origin: "viewport" });
  const actions = [move(...place), { type: "pointerDown", button: 0 }, move(place[0] + 20, place[1]), move(place[0] + 40, place[1]), { type: "pointerUp", button: 0 }];
  await session.send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
}

async function type(session, context, text) {
  const actions = [...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
  await session.send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
}

const DEEDS = {
  async quadratic(session, context) {
    await session.until(context, "document.querySelector('.handle') !== null && performance.getEntriesByName('draggable').length > 0", "the picture");
    const x = "document.querySelector('input[name=x]').value";
    const before = await session.evaluate(context, x);
    await drag(session, context);
    await session.until(context, `${x} !== ${JSON.stringify(before)}`, "the dragged point");
    await session.until(context, "performance.getEntriesByName('editable').length > 0", "Python");
    await session.evaluate(context, "(() => { const field = document.querySelector('input[name=formula]'); field.focus(); field.select(); })()");
    await type(session, context, "x^2+y^2");
    await session.until(context, "location.hash.includes('x%5E2') || location.hash.includes('x^2')", "the edited formula");
    return "dragged and edited";
  },
  async playground(session, context) {
    await session.until(context, "performance.getEntriesByName('editable').length > 0", "Python");
    await session.evaluate(context, "document.querySelector('.run').click()");
    await session.until(context, "document.querySelector('.output').textContent.includes('ms')", "the output");
    return "run";
  },
};

const { browser, session } = await startFirefox();
try {
  await session.send("session.new", { capabilities: {} });
  await session.send("session.subscribe", { events: ["log.entryAdded"] });
  await session.send("script.addPreloadScript", { functionDeclaration: PATIENT });
  const { contexts } = await session.send("browsingContext.getTree", {});
  const [{ context }] = contexts;
  for (const name of names.split(",")) {
    session.errors = [];
    let seen = "";
    try {
      await session.send("browsingContext.navigate", { context, url: `${site}${name}.html`, wait: "complete" });
      await session.until(context, "document.querySelector('h1')?.textContent !== ''", "the heading");
      seen = (await DEEDS[name]?.(session, context)) ?? (await session.evaluate(context, "document.querySelector('h1').textContent"));
      await untilQuiet(session, context);
    } catch (error) {
      session.errors.push(String(error));
    }
    stdout.write(`${JSON.stringify({ name, errors: session.errors, seen })}\n`);
  }
} finally {
  browser.removeAllListeners("exit");
  browser.kill();
  session.socket.close();
}
