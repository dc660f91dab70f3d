// Packs files into a zip archive without compressing them (PKWARE's APPNOTE, 4.3). The same files give the same bytes.

/** The signatures, which are the first four bytes of a record. FILE begins the header before a file's contents. ENTRY begins a
 * file's entry in the list of files. END begins the last record of the archive. */
const FILE = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const SIZES = { file: 30, entry: 46, end: 22 };
/** VERSION means that a program must know version 2.0 of the format to read the archive. UTF8 is the flag for names in
 * UTF-8. */
const VERSION = 20;
const UTF8 = 0x0800;
/** 1 January 1980, the oldest date that the format can express. */
const EPOCH = 0x0021;

/** @param {ReadonlyMap<string, Uint8Array>} files by name @returns {Uint8Array<ArrayBuffer>} */
export function zip(files) {
  const encoder = new TextEncoder();
  const entries = [...files].map(([name, content]) => ({ name: encoder.encode(name), content, sum: crc32(content) }));
  const length = entries.reduce((sum, { name, content }) => sum + SIZES.file + SIZES.entry + 2 * name.length + content.length, SIZES.end);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const starts = entries.map((entry) => {
    const start = at;
    view.setUint32(at, FILE, true);
    describe(view, at + 4, entry);
    bytes.set(entry.name, at + SIZES.file);
    bytes.set(entry.content, at + SIZES.file + entry.name.length);
    at += SIZES.file + entry.name.length + entry.content.length;
    return start;
  });
  const list = at;
  entries.forEach((entry, k) => {
    view.setUint32(at, ENTRY, true);
    view.setUint16(at + 4, VERSION, true);
    describe(view, at + 6, entry);
    view.setUint32(at + 42, starts[k], true);
    bytes.set(entry.name, at + SIZES.entry);
    at += SIZES.entry + entry.name.length;
  });
  view.setUint32(at, END, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, at - list, true);
  view.setUint32(at + 16, list, true);
  return bytes;
}

/** Writes the fields that are the same in a file's header and in the file's entry in the list of files.
 * @param {DataView} view @param {number} at @param {{name: Uint8Array, content: Uint8Array, sum: number}} entry */
function describe(view, at, { name, content, sum }) {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 8, EPOCH, true);
  view.setUint32(at + 10, sum, true);
  view.setUint32(at + 14, content.length, true);
  view.setUint32(at + 18, content.length, true);
  view.setUint16(at + 22, name.length, true);
}

/** @param {Uint8Array} bytes @returns {number} the CRC-32 (ISO 3309) */
function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
