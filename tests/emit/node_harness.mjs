// Runs modules given as JSON on standard input: writes bytes to memory, calls the entry function and reads bytes from memory.
import { readFileSync } from "node:fs";

const jobs = JSON.parse(readFileSync(0, "utf8"));

const results = jobs.map(({ wasm, entry, writes, reads }) => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, "hex")), {});
  const memory = Buffer.from(instance.exports.memory.buffer);
  for (const { at, hex } of writes) memory.write(hex, at, "hex");
  try {
    instance.exports[entry]();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return null;
    throw error;
  }
  return reads.map(({ at, bytes }) => memory.toString("hex", at, at + bytes));
});

process.stdout.write(JSON.stringify(results));
