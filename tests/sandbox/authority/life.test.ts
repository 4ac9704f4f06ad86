import { afterEach, beforeEach, expect, test } from 'vitest';

import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';

let authority: RunningAuthority;
beforeEach(async () => {
  authority = await startAuthority({ port: 0, db: ':memory:' });
});
afterEach(() => authority.close());

/** Presses a button of the page. Returns the page after it. */
async function press(act: string, origin = authority.origin) {
  const reply = await fetch(`${authority.origin}/life`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ act }),
  });
  const text = await reply.text();
  const standing = /data-standing="([^"]*)"/u.exec(text)?.[1];
  return { status: reply.status, text, standing };
}

async function standings(...acts: readonly string[]): Promise<(string | undefined)[]> {
  const after: (string | undefined)[] = [];
  for (const act of acts) after.push((await press(act)).standing);
  return after;
}

test('a license goes through its life: issued, activated, due, in grace, denied, and back', async () => {
  expect(await standings('issue', 'activate', 'use', 'due', 'availability', 'use', 'end')).toEqual([
    'not-activated',
    'activated',
    'activated',
    'validation-due',
    'validation-due',
    'grace',
    'denied',
  ]);
  // The program waits before it asks again.
  expect(await standings('availability', 'hour', 'use')).toEqual(['denied', 'denied', 'activated']);
});

test('a revoked license is refused with its reason, and accepted once that is undone', async () => {
  await standings('issue', 'activate', 'due', 'revocation');
  const { standing, text } = await press('use');
  expect(standing).toBe('denied');
  expect(text).toContain('This license has been revoked: from the page.');
  expect(await standings('revocation', 'day', 'use')).toEqual(['denied', 'denied', 'activated']);
});

test('a refusal denies and a failure opens the grace period', async () => {
  expect(await standings('issue', 'activate', 'due', 'fault', 'use')).toContain('grace');
  expect(await standings('issue', 'activate', 'due', 'refuse', 'use')).toContain('denied');
});

test('a clock that is turned back earns nothing', async () => {
  const acts = ['issue', 'activate', 'due', 'availability', 'use', 'day', 'back'];
  expect((await standings(...acts)).slice(-2)).toEqual(['grace', 'validation-due']);
});

test('the timeline draws a tick for each moment, and lists them in the same order', async () => {
  await standings('issue', 'activate');
  const { text } = await press('day');
  const ticks = [...text.matchAll(/class="([\w ]+)"\s+d="M(\d+) 4V28"/gu)];
  expect(ticks.map(([, name]) => name)).toEqual(['issued', 'now', 'validation due', 'grace ends']);
  const places = ticks.map(([, , x]) => Number(x));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const section = /<section[\s\S]*?<\/section>/u.exec(text)?.[0] ?? '';
  const listed = [...section.matchAll(/<td>([\w ]+)<\/td>/gu)].map(([, name]) => name);
  expect(listed).toEqual(ticks.map(([, name]) => name));
});

test('nothing is pressed from another page, and nothing before a license is issued', async () => {
  expect((await press('issue', 'https://evil.example')).status).toBe(403);
  const { status, standing } = await press('activate');
  expect([status, standing]).toEqual([200, '']);
});
