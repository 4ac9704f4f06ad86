import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LinkifyIt } from 'linkify-it';

import type { Contest } from '#bench/peers/contest';
import { locateCodes } from '#core/codes/index';
import { tickets } from '#sandbox/seed/tickets';

const megabytes = 10;

/** Ten megabytes of tickets, a text each. Prints how many codes each has found. */
export const codesFound: Contest = {
  work: '10 MB of tickets searched for codes',
  unit: 'ms',
  goal: 'as many found or more, within 3 times grep',
  prepare: () => {
    const own = tickets.map(({ messages }) => messages.map(({ text }) => text).join('\n\n'));
    const texts: string[] = [];
    for (let bytes = 0; bytes < megabytes * 1e6;) {
      const text = own[texts.length % own.length] ?? '';
      texts.push(text);
      bytes += Buffer.byteLength(text) + 1;
    }
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-peers-'));
    const file = join(folder, 'tickets.txt');
    writeFileSync(file, texts.join('\n'));
    const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
    const linkify = new LinkifyIt();
    const counts = new Map<string, number>();
    const count = (name: string, found: number): void => {
      if (counts.get(name) !== found) console.error(`  ${name}: ${String(found)} found`);
      counts.set(name, found);
    };
    const timed = (search: () => number, name: string) => (): Promise<number> => {
      const began = performance.now();
      const found = search();
      const taken = performance.now() - began;
      count(name, found);
      return Promise.resolve(taken);
    };
    const sum = (found: (text: string) => number) => () =>
      texts.reduce((all, text) => all + found(text), 0);
    return Promise.resolve({
      ours: timed(
        sum((text) => locateCodes(text, []).length),
        'ours',
      ),
      peers: {
        'grep -oE': timed(() => {
          const { stdout } = spawnSync('grep', ['-oE', uuid, file], { maxBuffer: 1e9 });
          return stdout.toString().split('\n').length - 1;
        }, 'grep -oE'),
        'linkify-it (links)': timed(
          sum((text) => linkify.match(text)?.length ?? 0),
          'linkify-it',
        ),
      },
      close: () => {
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    });
  },
};
