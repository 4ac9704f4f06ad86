import { afterEach, beforeEach, expect, test } from 'vitest';

import { type RunningAuthority, startAuthority } from '#sandbox/authority/server';

let authority: RunningAuthority;
beforeEach(async () => {
  authority = await startAuthority({
    port: 0,
    db: ':memory:',
    now: () => Date.UTC(2026, 0, 5, 12),
  });
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
  expect(await standings('issue', 'activate', 'use', 'due', 'away', 'use', 'end')).toEqual([
    'not-activated',
    'activated',
    'activated',
    'validation-due',
    'validation-due',
    'grace',
    'denied',
  ]);
  // The program waits before it asks again.
  expect(await standings('available', 'hour', 'use')).toEqual(['denied', 'denied', 'activated']);
});

test('a revoked license is refused with its reason, and accepted once that is undone and the program has waited', async () => {
  await standings('issue', 'activate', 'due', 'revoked');
  const { standing, text } = await press('use');
  expect(standing).toBe('denied');
  expect(text).toContain('This license has been revoked: refunded.');
  expect(text).toMatch(/It was refused, and asks again from 12:00:\d\d UTC on\./u);
  expect(await standings('valid', 'use')).toEqual(['denied', 'denied']);
  expect((await press('retry')).text).toContain('It asks the server at the next use.');
  expect(await standings('use')).toEqual(['activated']);
});

test('a refusal denies and a failure opens the grace period', async () => {
  expect(await standings('issue', 'activate', 'due', 'error-500', 'use')).toContain('grace');
  expect(await standings('issue', 'activate', 'due', 'refuse', 'use')).toContain('denied');
});

test('a clock that is turned back earns nothing', async () => {
  const acts = ['issue', 'activate', 'due', 'away', 'use', 'day', 'use'];
  expect((await standings(...acts)).at(-1)).toBe('grace');
  const { standing, text } = await press('back');
  expect(standing).toBe('validation-due');
  expect(text).toContain('It goes by the later time that it has seen: no grace.');
  expect((await press('use')).text).toContain('Used, not permitted');
});

test('once the server has answered, a clock that was turned back is right again', async () => {
  let now = Date.UTC(2026, 0, 5, 12);
  await authority.close();
  authority = await startAuthority({ port: 0, db: ':memory:', now: () => (now += 5) });
  await standings('issue', 'activate', 'due', 'away', 'use', 'back', 'available', 'hour');
  const { standing, text } = await press('use');
  expect(standing).toBe('activated');
  expect(text).not.toContain('no grace');
});

test('what the program has seen has passed, although its clock was turned back', async () => {
  await standings('issue', 'activate', 'away', 'due', 'use', 'day', 'use', 'back');
  const { text } = await press('back');
  expect(text).toMatch(/value="due"[^>]*aria-disabled="true"/u);
  expect(timesIn(text)).toEqual([
    'certificate issued',
    '6 days',
    'now',
    '1 day',
    'validation due',
    '1 day',
    'last seen by the program',
    '13 days',
    'grace ends',
  ]);
  expect((await press('use')).text).toContain(
    'Used, not permitted: the server did not answer; no grace, as the clock was turned back',
  );
});

test('a clock that was turned back within the time of its certificate changes nothing', async () => {
  await standings('issue', 'activate', 'day', 'use', 'back');
  const { text } = await press('use');
  expect(text).toContain('until then its certificate is enough.');
  expect(text).toContain('Used, permitted: its certificate is enough');
});

test('a time that the program was not used at, it has not seen', async () => {
  await standings('issue', 'activate', 'away', 'end');
  expect((await press('back')).text).toContain('It did not run while the clock was ahead.');
  const { standing, text } = await press('use');
  expect(standing).toBe('grace');
  expect(text).toContain('Used, permitted in grace: the server did not answer');
});

test('a use says whether the server was asked', async () => {
  await standings('issue', 'activate');
  expect((await press('use')).text).toContain('Used, permitted: its certificate is enough');
  await standings('due');
  expect((await press('use')).text).toContain('Used, permitted: the server sent a new certificate');
  await standings('due', 'revoked', 'use', 'valid');
  expect((await press('use')).text).toContain('Used, not permitted: it waits before it asks again');
});

test('of a server’s next answers one is chosen, and can be taken back', async () => {
  await standings('issue', 'activate', 'due', 'refuse');
  const { text } = await press('error-500');
  const pressed = [...text.matchAll(/value="([\w-]+)"\s+aria-pressed="true"/gu)];
  expect(pressed.map(([, act]) => act)).toEqual(['available', 'error-500', 'valid']);
  expect(await standings('right', 'use')).toEqual(['validation-due', 'activated']);
});

test('a failure is told in words', async () => {
  await standings('issue', 'error-500');
  expect((await press('activate')).text).toContain('the server answered with an error 500');
  await standings('away');
  expect((await press('activate')).text).toContain('the server did not answer');
});

test('an activation after the clock was turned back is told in words', async () => {
  await standings('issue', 'activate', 'back');
  expect((await press('activate')).text).toContain(
    'Activation failed: the certificate that came is older than the present one',
  );
});

test('an error after a refusal is told, and the refusal with it', async () => {
  await standings('issue', 'activate', 'due', 'refuse', 'use', 'hour', 'error-500');
  expect((await press('use')).text).toContain(
    'Used, not permitted: the server answered with an error 500; it had refused before',
  );
});

test('time leads on, not back, to a moment of the certificate', async () => {
  await standings('issue', 'activate', 'end');
  const { text, standing } = await press('due');
  expect(standing).toBe('denied');
  expect(text).not.toContain('reached the next validation');
  expect(text).toMatch(/value="due"[^>]*aria-disabled="true"/u);
});

/** Returns the rows of the timeline as text. */
function timesIn(text: string): string[] {
  const list = /<ol>([\s\S]*?)<\/ol>/u.exec(text)?.[1] ?? '';
  return [...list.matchAll(/<li[^>]*>([\s\S]*?)<\/li>/gu)].map(([, row = '']) =>
    row
      .replaceAll(/<time>.*?<\/time>|<[^>]*>/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  );
}

test('the timeline names each moment at its tick, and what lies between; moments of one minute share a tick', async () => {
  await standings('issue', 'activate');
  const { text } = await press('day');
  expect(timesIn(text)).toEqual([
    'certificate issued',
    '1 day',
    'now',
    '6 days',
    'validation due',
    '14 days',
    'grace ends',
  ]);
  expect(timesIn((await press('due')).text)).toEqual([
    'certificate issued',
    '7 days',
    'validation due, now',
    '14 days',
    'grace ends',
  ]);
});

test('before there is a certificate, there are no times', async () => {
  const { text } = await press('issue');
  expect(timesIn(text)).toEqual([]);
  expect(text).toContain('The certificate brings them.');
});

test('a length of the timeline is told exactly', async () => {
  await standings('issue', 'activate', 'hour');
  expect(timesIn((await press('hour')).text)).toContain('2 hours');
  await standings('day');
  expect(timesIn((await press('away')).text)).toEqual([
    'certificate issued',
    '1 day, 2 hours',
    'now',
    '5 days, 22 hours',
    'validation due',
    '14 days',
    'grace ends',
  ]);
});

test('after a refusal no grace period is promised, and none ends', async () => {
  await standings('issue', 'activate', 'due', 'revoked', 'use', 'day');
  const { text } = await press('end');
  expect(text).toMatch(/value="end"[^>]*aria-disabled="true"/u);
  expect(text).not.toContain('reached the end of grace');
  expect(timesIn(text)).toEqual([
    'certificate issued',
    '7 days',
    'validation due, last refused (no grace)',
    '1 day',
    'now',
  ]);
  expect((await press('back')).text).not.toContain(': no grace');
});

test('a refusal after the grace period does not take it away', async () => {
  await standings('issue', 'activate', 'revoked', 'end', 'use');
  expect(timesIn((await press('day')).text)).toEqual([
    'certificate issued',
    '7 days',
    'validation due',
    '14 days',
    'grace ends, last refused',
    '1 day',
    'now',
  ]);
});

test('what happens again is counted', async () => {
  await standings('issue', 'activate', 'use', 'use');
  const { text } = await press('use');
  expect(text.match(/Used, permitted/gu)).toHaveLength(2);
  expect(text).toContain('Used, permitted: its certificate is enough (3 times)');
});

test('nothing is pressed from another page, and nothing before a license is issued', async () => {
  expect((await press('issue', 'https://evil.example')).status).toBe(403);
  const { status, standing } = await press('activate');
  expect([status, standing]).toEqual([200, '']);
});
