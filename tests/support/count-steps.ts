import { Session } from 'node:inspector/promises';
import { parentPort } from 'node:worker_threads';

import { readers } from '#tests/support/foreign-text-readers';

/** What is repeated, between a beginning and an end that make a reader go on. */
const pumps: readonly (readonly [before: string, pump: string, after: string])[] = [
  ...[
    '\uFEFF',
    '\u200B',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '=',
    '.',
    '-',
    '_',
    'a',
    '0',
    'A.',
    '\u3000',
  ].flatMap((pump) => [
    ['', pump, 'x'] as const,
    ['8678c3cd-', pump, '23d0-4b3c-7dfa-c1c147e0dece'] as const,
  ]),
  ...[
    '"',
    "'",
    '<',
    '>',
    '<a',
    '<script',
    '<script></b>',
    '<!--',
    '&',
    '&amp',
    '{',
    '[',
    '{"a":',
    '\\',
    '/',
    '//',
  ].map((pump) => ['', pump, ''] as const),
  ...[
    '=\n',
    '>> ',
    '=?',
    ',',
    ';',
    '=20',
    '@',
    'a@',
    '{customer',
    ', ,',
    '-----BEGIN ',
    'eyJ',
    '"\n',
    'a1-\n',
  ].map((pump) => ['', pump, '!'] as const),
];

/** Counts what a task does: each run of a block of code, each character that an expression or a search goes over. */
async function stepsOf(session: Session, task: () => unknown): Promise<number> {
  let searched = 0;
  /* eslint-disable @typescript-eslint/unbound-method -- each is called with its own `this` below */
  const { exec } = RegExp.prototype;
  const { indexOf, includes } = String.prototype;
  /* eslint-enable @typescript-eslint/unbound-method */
  const count = (found: number, from: number, length: number): void => {
    searched += (found < 0 ? length : found) - Math.min(from, length) + 1;
  };
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    if (match !== null) searched += match.index - from + match[0].length + 1;
    else searched += this.sticky ? 1 : Math.max(0, text.length - from) + 1;
    return match;
  };
  String.prototype.indexOf = function counted(this: string, sought: string, from = 0) {
    const found = indexOf.call(this, sought, from);
    count(found, from, this.length);
    return found;
  };
  String.prototype.includes = function counted(this: string, sought: string, from = 0) {
    const found = includes.call(this, sought, from);
    count(found ? from : -1, from, this.length);
    return found;
  };
  try {
    task();
  } finally {
    RegExp.prototype.exec = exec;
    Object.assign(String.prototype, { indexOf, includes });
  }
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const { url, functions } of result) {
    if (!/\/(?:core|relay)\//u.test(url)) continue;
    for (const { ranges } of functions) for (const range of ranges) blocks += range.count;
  }
  return searched + blocks;
}

const length = 1500;

/** Lists the pumps for which a reader takes more than 2.5 times the steps for twice the text. */
async function slowPumps(session: Session, read: (text: string) => unknown): Promise<string[]> {
  const slow: string[] = [];
  for (const [before, pump, after] of pumps) {
    const text = (times: number): string => before + pump.repeat(times / pump.length) + after;
    const attempt = (times: number) => () => {
      try {
        return read(text(times));
      } catch {
        return undefined;
      }
    };
    const once = await stepsOf(session, attempt(length));
    const twice = await stepsOf(session, attempt(2 * length));
    // What is done for a short text alone does not count.
    if (twice > 2.5 * Math.max(once, length))
      slow.push(`${JSON.stringify([before, pump, after])}: ${String(once)}, ${String(twice)}`);
  }
  return slow;
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const slow: Record<string, string[]> = {};
for (const [name, read] of Object.entries(readers)) slow[name] = await slowPumps(session, read);
parentPort?.postMessage(slow);
