// Compresses files with Brotli, which Python lacks. Gzipped files are unpacked first.
//
//   node brotli.mjs JOBS_JSON
//
// JOBS_JSON is a list of {source, target}, two paths.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";

/** In bytes. For larger files, the highest level takes a second per megabyte and makes them only a thirtieth smaller. */
const LARGE = 2_000_000;

for (const { source, target } of JSON.parse(argv[2])) {
  const file = readFileSync(source);
  const content = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE ? 9 : 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(target, brotliCompressSync(content, { params }));
}
