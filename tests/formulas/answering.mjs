// Answers lines of JSON. Each line of the output is the answer to a line of the input as JSON.

import { createInterface } from "node:readline";

/**
 * Reads lines from standard input, and writes the answers to standard output.
 * @template Subject
 * @param {(first: any) => Subject} prepare gets the first line. Returns an object for `answer`
 * @param {(subject: Subject, ...question: any[]) => unknown} answer called for each later line, which is an array of arguments.
 *   Gets the object and these arguments, and returns the answer
 */
export async function answerLines(prepare, answer) {
  /** @type {{ subject: Subject } | null} */
  let prepared = null;
  for await (const line of createInterface({ input: process.stdin })) {
    const given = JSON.parse(line);
    if (prepared === null) prepared = { subject: prepare(given) };
    else process.stdout.write(`${JSON.stringify(await answer(prepared.subject, ...given))}\n`);
  }
}
