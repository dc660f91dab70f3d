// Compresses files with Brotli, which Python lacks. Gzipped files are unpacked first.
//
//   node brotli.mjs JOBS_JSON
//
// JOBS_JSON is a list of {source, target}, two paths.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";

/** The size in bytes above which a file is compressed at a lower level. Such a file changes with each module of ours, and the
 * highest level would take half a minute for it. Only the engine is compressed at the highest level although it is large. It
 * changes only with Pyodide, and the highest level makes it an eighth smaller. */
const LARGE = 4_000_000;
const ENGINE = ".wasm";

for (const { source, target } of JSON.parse(argv[2])) {
  const file = readFileSync(source);
  const content = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE && !source.endsWith(ENGINE) ? 9 : 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(target, brotliCompressSync(content, { params }));
}
