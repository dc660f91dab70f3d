// Sends changing numbers to the page's checker, with a simulated clock. Prints the numbers that Python was asked about and the
// verdicts that the page showed.

/** The waiting timer, if there is one. @type {{at: number, act: () => void} | null} */
let timer = null;
let now = 0;
globalThis.window = {
  setTimeout: (act, ms) => {
    timer = { at: now + ms, act };
    return 1;
  },
};
globalThis.clearTimeout = () => {
  timer = null;
};

const { Checker } = await import(new URL("../../static/js/engine/checker.js", import.meta.url).href);
const asked = [];
const verdicts = [];
const ask = async ({ shown: [x] }) => {
  asked.push(x);
  return { state: "agree", within: 0, x };
};
const checker = new Checker({ isFree: () => true, ask }, (verdict) => verdict !== null && verdicts.push(verdict.x));
const artifact = {};

/** Lets time pass. @param {number} ms */
async function pass(ms) {
  now += ms;
  while (timer !== null && timer.at <= now) {
    const { act } = timer;
    timer = null;
    await act();
  }
}

for (let x = 1; x <= 60; x++) {
  checker.want({ artifact, values: [], shown: [x] });
  await pass(16);
}
const whileMoving = [...asked];
await pass(1000);
checker.want({ artifact, values: [], shown: [60] });
await pass(1000);
checker.want({ artifact, values: [], shown: [61] });
await pass(1000);
console.log(JSON.stringify({ whileMoving, asked, verdicts }));
