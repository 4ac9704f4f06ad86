import { readFileSync, readdirSync } from 'node:fs';
import { machineClocks } from '#relay/machine/clocks';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import options from '#locales/en/options.json';
import team from '#locales/en/team.json';
import { version } from '#relay/version';
import { parseJoinCookie } from '#relay/join/credentials';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { askForToken, joinAttempt, joinByInvite, resultOf } from '#tests/relay/support/joining';
import { type PageBrowser, pageBrowser } from '#tests/relay/support/page-browser';
import {
  type RelayFiles,
  type StartedRelay,
  callThrough,
  relayFiles,
  validation,
} from '#tests/relay/support/relay';

let seller: CountingUpstream;
let files: RelayFiles;
let relay: StartedRelay;
let browser: PageBrowser;
let ahead = 0;
const clocks = { ...machineClocks, now: () => Date.now() + ahead };
const email = 'ada@fenwick.test';

beforeEach(async () => {
  ahead = 0;
  seller = await countingUpstream();
  files = relayFiles();
  await files.connect('shop', seller.origin, 'key-0123456789', '--name Fenwick --limit 6000');
  await files.admin(`agents add ${email}`);
  relay = await files.start({ clocks, name: 'Fenwick & <b>Co</b>' });
  browser = pageBrowser();
});
afterEach(async () => {
  await relay.stop();
  await seller.close();
  files.remove();
});

const invite = (): Promise<string> => files.admin(`invites add ${email}`);

test('an invite becomes a token that works', async () => {
  const attempt = joinAttempt(relay.origin);
  const end = await joinByInvite(browser, attempt, await invite());
  expect([end.url.pathname, end.status]).toEqual(['/relay/v1/joined', 200]);
  const { code = '', state } = resultOf(end);
  expect(state).toBe(attempt.state);

  const reply = await askForToken(relay.origin, code, attempt.verifier);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const given = (await reply.json()) as { readonly token: string; readonly expires_at: string };
  expect(given).toEqual({
    token: expect.stringMatching(/^cfr1_[0-9a-f]{16}_[0-9a-f]{64}_[0-9a-f]{8}$/) as string,
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    agent: { email, role: 'agent' },
    connections: [{ id: 'shop', name: 'Fenwick' }],
  });
  const check = await callThrough(`${relay.origin}/c/shop`, given.token, validation, { code: 'c' });
  expect(check.status).toBe(200);
  expect(await files.admin('audit csv')).toMatch(
    /admin,join-confirmed-by-invite.*\s+.*admin,joined,/,
  );
});

describe('a code', () => {
  test.each<[string, (code: string, verifier: string) => Promise<unknown>]>([
    ['is used once', (code, verifier) => askForToken(relay.origin, code, verifier)],
    ['is lost to a wrong verifier', (code) => askForToken(relay.origin, code, 'v'.repeat(43))],
    ['holds for 60 s', () => Promise.resolve((ahead += 60_000))],
  ])('%s', async (_name, before) => {
    const attempt = joinAttempt(relay.origin);
    const { code = '' } = resultOf(await joinByInvite(browser, attempt, await invite()));
    await before(code, attempt.verifier);
    const reply = await askForToken(relay.origin, code, attempt.verifier);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('counterfoil-relay-failure')).toBe('code-unknown');
    expect(await reply.json()).toEqual({
      counterfoil_relay: { version: 1, failure: 'code-unknown' },
    });
  });

  test.each(['', 'null', '[]', '{"code":1}', '{"code":"00","code_verifier":"11"}'])(
    'is not made of %j',
    async (body) => {
      const reply = await fetch(`${relay.origin}/relay/v1/token`, { method: 'POST', body });
      expect(reply.status).toBe(400);
    },
  );
});

describe('an invite', () => {
  test('is used once, and not by a join that was not confirmed', async () => {
    const one = await invite();
    const begun = await browser.open(joinAttempt(relay.origin).page);
    const confirmation = await browser.submit(begun, { invite: one });
    // By the name of the button that Counterfoil shows.
    expect(confirmation.html).toContain(`<strong>${team.team.join}</strong>`);
    const cancelled = await browser.submit(confirmation, { decision: 'cancel' });
    expect(resultOf(cancelled)['error']).toBe('access_denied');
    expect(resultOf(await joinByInvite(browser, joinAttempt(relay.origin), one))).toHaveProperty(
      'code',
    );
    const again = await browser.open(joinAttempt(relay.origin).page);
    expect((await browser.submit(again, { invite: one })).html).toContain('This invite was used');
  });

  test('leads to a page that names the connections of the agent’s role alone', async () => {
    await files.connect('night', seller.origin, 'key-0123456789', '--name Nightjar');
    await files.admin('roles set lead report');
    await files.admin('connections edit night --roles lead');
    const begun = await browser.open(joinAttempt(relay.origin).page);
    const { html } = await browser.submit(begun, { invite: await invite() });
    expect(html).toContain('Fenwick');
    expect(html).not.toContain('Nightjar');
  });

  test('is used once, though two browsers have shown it before either confirms', async () => {
    const one = await invite();
    const confirmations = [];
    for (const each of [browser, pageBrowser()]) {
      const begun = await each.open(joinAttempt(relay.origin).page);
      confirmations.push([each, await each.submit(begun, { invite: one })] as const);
    }
    const ends = [];
    for (const [each, page] of confirmations)
      ends.push(Object.keys(resultOf(await each.submit(page, { decision: 'join' }))));
    expect(ends).toEqual([
      ['code', 'state'],
      ['error', 'state'],
    ]);
  });

  test('holds for a day', async () => {
    const one = await invite();
    ahead = 24 * 3_600_000;
    const begun = await browser.open(joinAttempt(relay.origin).page);
    expect((await browser.submit(begun, { invite: one })).html).toContain('has expired');
  });

  test('holds for as many days as its administrator says', async () => {
    const long = (await files.admin(`invites add ${email} --days 3`)).trim();
    ahead = 2 * 24 * 3_600_000;
    const begun = await browser.open(joinAttempt(relay.origin).page);
    expect(begun.html).not.toContain('one day');
    const page = await browser.submit(begun, { invite: long });
    expect(page.html).toContain(`<strong>${team.team.join}</strong>`);
    for (const days of ['0', '31', 'x'])
      await expect(files.admin(`invites add ${email} --days ${days}`)).rejects.toThrow(
        'is a whole number, 1 to 30',
      );
  });

  test('is taken as a link too, and tried five times in a join', async () => {
    const one = await invite();
    let page = await browser.open(joinAttempt(relay.origin).page);
    for (let wrong = 1; wrong < 5; wrong += 1) {
      page = await browser.submit(page, {
        invite: `${one.slice(0, -1)}${String(wrong)}`.replace(one, 'x'),
      });
      expect(page.status).toBe(403);
    }
    const ended = await browser.submit(page, { invite: 'cfi1_' });
    expect(resultOf(ended)['error']).toBe('access_denied');
    const link = await files.admin(`invites add ${email}`, '', relay.origin);
    expect(link).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/relay\/v1\/join#invite=cfi1_[0-9a-f]{16}_[0-9a-f]{64}$/,
    );
    expect(resultOf(await joinByInvite(browser, joinAttempt(relay.origin), link))).toHaveProperty(
      'code',
    );
  });
});

describe('a form is refused', () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['from another origin', {}, { origin: 'https://evil.test' }],
    ['from a page that names no origin', {}, { origin: 'null' }],
    ['with a token of another join', { csrf: 'x'.repeat(43) }, {}],
    ['without the cookie', {}, { cookie: '' }],
    ['with another cookie', {}, { cookie: `counterfoil-join=${'0'.repeat(32)}_${'0'.repeat(64)}` }],
  ])('%s', async (_name, fields, headers) => {
    const begun = await browser.open(joinAttempt(relay.origin).page);
    const confirmation = await browser.submit(begun, { invite: await invite() });
    const page = { ...confirmation, html: confirmation.html };
    if (fields['csrf'] !== undefined) {
      page.html = page.html.replace(/(name="csrf" value=")[^"]*/, `$1${fields['csrf']}`);
    }
    const refused = await browser.submit(page, { decision: 'join' }, headers);
    expect([400, 403]).toContain(refused.status);
    expect(resultOf(refused)).toEqual({});
    expect(resultOf(await browser.submit(confirmation, { decision: 'join' }))).toHaveProperty(
      'code',
    );
  });

  test('with a cookie of the same join and another secret, whose token it has', async () => {
    const begun = await browser.open(joinAttempt(relay.origin).page);
    const confirmation = await browser.submit(begun, { invite: await invite() });
    const [cookie = ''] = browser.cookiesOf(relay.origin);
    const forged = `${cookie.split('=')[1]?.split('_')[0] ?? ''}_${'0'.repeat(64)}`;
    const token = parseJoinCookie(forged)?.csrfToken ?? '';
    const html = confirmation.html.replace(/(name="csrf" value=")[^"]*/, `$1${token}`);
    expect(html).not.toBe(confirmation.html);
    const headers = { cookie: `counterfoil-join=${forged}` };
    const refused = await browser.submit({ ...confirmation, html }, { decision: 'join' }, headers);
    expect([refused.status, resultOf(refused)]).toEqual([400, {}]);
  });

  test('before somebody has signed in', async () => {
    const begun = await browser.open(joinAttempt(relay.origin).page);
    const forged = { ...begun, html: begun.html.replace('join/invite', 'join/confirm') };
    const refused = await browser.submit(forged, { decision: 'join' });
    expect(resultOf(refused)['error']).toBe('access_denied');
  });
});

test('a join that took too long says so to Counterfoil', async () => {
  const attempt = joinAttempt(relay.origin);
  const begun = await browser.open(attempt.page);
  ahead = 600_000;
  const late = await browser.submit(begun, { invite: await invite() });
  expect(resultOf(late)).toEqual({ error: 'expired', state: attempt.state });
});

test('the address without a join shows the link to paste', async () => {
  const page = await browser.open(`${relay.origin}/relay/v1/join`);
  expect(page.html).toContain(`<strong>${options.options.unreadable.source.team}</strong>`);
  expect(page.html).toContain(`value="${relay.origin}/relay/v1/join"`);
  expect(browser.cookiesOf(relay.origin)).toEqual([]);
});

test.each([
  'state=a',
  'state=a&code_challenge=b&code_challenge_method=S256',
  `state=${'a'.repeat(43)}&code_challenge=${'b'.repeat(43)}&code_challenge_method=plain`,
])('a join is not begun with %s', async (query) => {
  const page = await browser.open(`${relay.origin}/relay/v1/join?${query}`);
  expect([page.status, browser.cookiesOf(relay.origin)]).toEqual([400, []]);
});

test('every page is kept by nobody, framed by nobody, and runs one script at most, by its hash', async () => {
  const begun = await browser.open(joinAttempt(relay.origin).page);
  const confirmation = await browser.submit(begun, { invite: await invite() });
  const end = await browser.submit(confirmation, { decision: 'join' });
  const refused = await browser.submit(confirmation);
  for (const { headers, html } of [begun, confirmation, end, refused]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html.match(/<script>/g) ?? []).toHaveLength(policy.includes('script-src') ? 1 : 0);
    expect(html).not.toMatch(/<script [^>]|\son\w+=|style="/);
    expect(html).not.toContain('<b>Co</b>');
  }
  expect(begun.html).toContain('Fenwick &amp; &lt;b&gt;Co&lt;/b&gt;');
  expect(confirmation.html).toContain(email);
});

test('the cookie is for this relay alone, out of reach of scripts', async () => {
  await browser.open(joinAttempt(relay.origin).page);
  expect(browser.cookiesOf(relay.origin)).toEqual([
    expect.stringMatching(
      /^counterfoil-join=\S+; Max-Age=600; Path=\/relay\/v1; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  await relay.stop();
  const behindTls = await files.start({ publicOrigin: 'https://relay.test' });
  await browser.open(joinAttempt(behindTls.origin).page);
  const cookies = browser.cookiesOf(behindTls.origin);
  await behindTls.stop();
  expect(cookies).toEqual([
    expect.stringMatching(
      /^__Host-counterfoil-join=\S+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
});

test('neither invite, code, cookie nor token stands in the log or the database', async () => {
  const attempt = joinAttempt(relay.origin);
  const one = await invite();
  const begun = await browser.open(attempt.page);
  const cookie = browser.cookiesOf(relay.origin)[0]?.split(/[=;]/)[1] ?? '';
  const end = await browser.submit(await browser.submit(begun, { invite: one }), {
    decision: 'join',
  });
  const { code = '' } = resultOf(end);
  const secrets = [one, code, cookie, attempt.verifier];
  const stored = (): string =>
    readdirSync(files.folder)
      .filter((name) => name.startsWith('relay.db'))
      .map((name) => readFileSync(join(files.folder, name)).toString('latin1'))
      .join();
  const halves = (secret: string): string[] => secret.match(/[\w-]{32,}/g) ?? [];
  for (const secret of secrets.flatMap(halves))
    expect(stored() + relay.logged()).not.toContain(secret);
  const reply = await askForToken(relay.origin, code, attempt.verifier);
  const { token } = (await reply.json()) as { readonly token: string };
  expect(stored() + relay.logged()).not.toContain(token.split('_')[2]);
  expect(relay.logged()).toContain('"result":"joined"');
});

describe('a token', () => {
  test('is given back by leaving', async () => {
    const token = await files.join('bob@fenwick.test');
    const headers = { authorization: `Bearer ${token}` };
    const left = await fetch(`${relay.origin}/relay/v1/token`, { method: 'DELETE', headers });
    expect(left.status).toBe(204);
    const after = await callThrough(relay.origin, token, '/relay/v1/settings');
    expect([after.status, after.headers.get('counterfoil-relay-failure')]).toEqual([
      401,
      'token-revoked',
    ]);
  });

  test('is needed for the settings, of which there are none at first', async () => {
    const token = await files.join('bob@fenwick.test');
    const settings = await callThrough(relay.origin, token, '/relay/v1/settings');
    expect(await settings.json()).toEqual({ settings: null });
    const without = await fetch(`${relay.origin}/relay/v1/settings`);
    expect(without.headers.get('counterfoil-relay-failure')).toBe('token-missing');
  });
});

test('a database that fails is said to, and counted', async () => {
  const database = new DatabaseSync(files.database);
  database.exec('DROP TABLE pending_join');
  database.close();
  const page = await browser.open(joinAttempt(relay.origin).page);
  expect(page.status).toBe(503);
  expect(page.html).toContain('cannot reach its database');
  expect(relay.logged()).toContain('"event":"store-fault","during":"join"');
  const metrics = await fetch(`http://127.0.0.1:${String(relay.metricsPort)}/metrics`);
  expect(await metrics.text()).toContain('counterfoil_relay_store_faults_total 1');
});

test('the relay says who it is and how to sign in', async () => {
  const reply = await fetch(`${relay.origin}/.well-known/counterfoil-relay`);
  expect(await reply.json()).toEqual({
    counterfoil_relay: {
      version: 1,
      program: version,
      name: 'Fenwick & <b>Co</b>',
      settings_key: null,
      sign_in: ['invite'],
    },
  });
});
