// Acts on a page while something else is being computed, and prints what became of each action. Usage: node waiting.mjs

globalThis.window = globalThis;
globalThis.requestAnimationFrame = () => 1;

const at = (name) => new URL(`../../static/js/${name}`, import.meta.url).href;
const { Journey } = await import(at("page/journey.js"));
const { SimulationPage } = await import(at("page/simulation-page.js"));
const { ModuleSource } = await import(at("engine/module-source.js"));
const { PythonWorker } = await import(at("engine/python-worker.js"));
const { PlaygroundSession } = await import(at("pages/playground/session.js"));

/** A page whose document is a number of balls and a goal, with one module for each number of balls. `compiled` lets the compiler
 * answer. */
function billiards() {
  let compiled = () => {};
  const first = { balls: 1, goal: 0 };
  const specOf = ({ balls }) => String(balls);
  const compile = () => new Promise((done) => {
    compiled = () => done({ artifact: {} });
  });
  const said = new Set();
  const journey = new Journey(first, {
    specOf,
    source: new ModuleSource(compile, (artifact) => artifact, "1", {}),
    adopted: () => {},
    arrived: () => {},
    notify: (message) => said.add(message),
    retract: (message) => said.delete(message),
    waiting: () => "Compiling",
  });
  const page = Object.create(SimulationPage.prototype);
  page.parts = {
    first,
    journey,
    run: { forget: () => {} },
    decode: (fragment) => ({ doc: JSON.parse(fragment) }),
  };
  page.frame = 1;
  return { page, journey, said, compiled: () => compiled() };
}

const settled = () => new Promise((done) => {
  setTimeout(done);
});

/** Changes the number of balls to three, and performs an action before the modules for three balls are compiled. Returns the
 * document and the messages after the action, the same after the modules are compiled, and the document after an undo.
 * @param {(page: SimulationPage) => void} act */
async function whileCompiling(act) {
  const { page, journey, said, compiled } = billiards();
  journey.change((doc) => ({ ...doc, balls: 3 }), null);
  await settled();
  act(page);
  await settled();
  const before = { ...journey.present, isPending: journey.pending !== null, said: [...said] };
  compiled();
  await settled();
  const after = { ...journey.present, isPending: journey.pending !== null, said: [...said] };
  page.undo();
  return [before, after, journey.present];
}

/** A session whose Python answers when `reply` is called. `asked` has the methods that Python was asked. */
function playground() {
  const session = new PlaygroundSession({}, () => {});
  const asked = [];
  let reply = (_) => {};
  session.worker.ask = (method, _, { longestMs = null }) => {
    asked.push([method, longestMs]);
    return new Promise((done) => {
      reply = done;
    });
  };
  session.worker.stop = () => reply({ error: "stopped" });
  return { session, asked, reply: (answer) => reply(answer) };
}

/** Asks Python for the names that the editor needs. Before Python answers, asks for a run and for a listing. Returns the
 * replies to the run and the listing, and all questions that Python got.
 * @param {(python: ReturnType<typeof playground>) => unknown} end ends the question about the names */
async function behindTheNames(end) {
  const python = playground();
  const replies = { run: null, show: null };
  globalThis.fetch = async () => ({ ok: true, arrayBuffer: async () => new ArrayBuffer(0) });
  python.session.names();
  await settled();
  python.session.run("", 60_000, {}, true).then((reply) => (replies.run = reply));
  python.session.show("f", "").then((reply) => (replies.show = reply));
  const told = end(python) ?? null;
  await settled();
  return { ...replies, asked: python.asked, told };
}

/** Sends a request to a Python that says `times` times that it was interrupted, and then answers. Returns the answer or the
 * error, and the number of times that Python was asked. */
async function interrupted(times) {
  let asked = 0;
  const open = ({ onMessage }) => ({
    said: [{ kind: "ready" }],
    ask: ({ id }) => setTimeout(() => onMessage(++asked > times ? { kind: "answer", id, answer: 7, modules: [] } : { kind: "interrupted", id })),
  });
  const python = new PythonWorker({}, () => {}, { open });
  python.start();
  const { answer = null, error = null } = await python.ask("formula", []);
  return { answer, error, asked };
}

console.log(JSON.stringify({
  opened: await whileCompiling((page) => page.open(JSON.stringify({ balls: 1, goal: 7 }))),
  "opened, with other modules": await whileCompiling((page) => page.open(JSON.stringify({ balls: 3, goal: 7 }))),
  reset: await whileCompiling((page) => page.reset()),
  slow: await behindTheNames(({ reply }) => reply({ error: "slow" })),
  died: await behindTheNames(({ reply }) => reply({ error: "died" })),
  "interrupted once": await interrupted(1),
  "interrupted twice": await interrupted(2),
  stopped: await behindTheNames(({ session }) => session.stop()),
}));
