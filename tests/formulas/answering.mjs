// Answers lines of JSON. Each line of the output is the answer to a line of the input as JSON.

import { createInterface } from "node:readline";

/**
 * @template Subject
 * @param {(first: any) => Subject} prepare makes what the answers need from the first line
 * @param {(subject: Subject, ...question: any[]) => unknown} answer answers each other line, an array of arguments
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
