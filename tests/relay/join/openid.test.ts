import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createOpenIdSignIn } from '#relay/join/openid';
import { askForToken, joinAttempt, resultOf } from '#tests/relay/support/joining';
import { type OpenIdProvider, openIdProvider } from '#tests/relay/support/openid-provider';
import { type PageBrowser, type Seen, pageBrowser } from '#tests/relay/support/page-browser';
import { type RelayFiles, type StartedRelay, relayFiles } from '#tests/relay/support/relay';

let provider: OpenIdProvider;
let files: RelayFiles;
let relay: StartedRelay;
let browser: PageBrowser;

beforeAll(async () => {
  provider = await openIdProvider();
  files = relayFiles();
  for (const name of ['ada', 'bob']) await files.admin(`agents add ${name}@fenwick.test`);
  const signIn = createOpenIdSignIn(provider, () => undefined);
  relay = await files.start({ signIn });
  provider.register(`${relay.origin}/relay/v1/join/sign-in/callback`);
});
afterAll(async () => {
  await relay.stop();
  await provider.close();
  files.remove();
});
beforeEach(() => {
  browser = pageBrowser();
});
afterEach(() => {
  provider.goDown(false);
});

const signInPage = (): string => `${relay.origin}/relay/v1/join/sign-in`;

/** Begins a join and goes to the provider; returns its sign-in page. */
async function toProvider(page: string): Promise<Seen> {
  const begun = await browser.open(page);
  expect(begun.html).toContain(provider.issuer.host);
  return browser.open(signInPage());
}

/** Signs in at the provider and agrees there; returns the relay's page that follows. */
async function signInAs(name: string, page = joinAttempt(relay.origin).page): Promise<Seen> {
  const consent = await browser.submit(await toProvider(page), { login: name, password: 'x' });
  return browser.submit(consent);
}

test('an agent signs in at a provider and gets a token that works', async () => {
  const attempt = joinAttempt(relay.origin);
  const confirmation = await signInAs('ada', attempt.page);
  expect(confirmation.url.pathname).toBe('/relay/v1/join/confirm');
  expect(confirmation.html).toContain('ada@fenwick.test');
  const end = await browser.submit(confirmation, { decision: 'join' });
  const { code = '', state } = resultOf(end);
  expect(state).toBe(attempt.state);
  const reply = await askForToken(relay.origin, code, attempt.verifier);
  expect(await reply.json()).toMatchObject({ agent: { email: 'ada@fenwick.test' } });
  expect(await files.admin('audit csv')).toContain('join-confirmed-by-sign-in');
  const page = await fetch(`http://127.0.0.1:${String(relay.metricsPort)}/metrics`);
  const counted = await page.text();
  for (const step of ['begun', 'confirmed', 'joined'])
    expect(counted).toContain(`counterfoil_relay_joins_total{result="${step}"} 1`);
});

test('the provider is asked for a code with PKCE, nonce and state, for the relay’s own address alone', async () => {
  await browser.open(joinAttempt(relay.origin).page);
  const [cookie = ''] = browser.cookiesOf(relay.origin);
  const reply = await fetch(signInPage(), {
    redirect: 'manual',
    headers: {
      cookie: cookie.split(';')[0] ?? '',
      'x-forwarded-host': 'evil.test',
      host: 'evil.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.test',
    },
  });
  const asked = new URL(reply.headers.get('location') ?? '');
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: `${relay.origin}/relay/v1/join/sign-in/callback`,
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    state: expect.stringMatching(/^[\w-]{43}$/) as string,
    nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
});

test.each([
  ['is no agent', 'eve', 'eve@fenwick.test is not on this team’s list of agents'],
  ['has an unconfirmed address', 'bob?', 'has not confirmed that bob@fenwick.test is yours'],
])('someone who %s is told so and is not let in', async (_what, name, sentence) => {
  const refused = await signInAs(name);
  expect(refused.status).toBe(403);
  expect(refused.html).toContain(sentence);
  const confirmation = await browser.open(`${relay.origin}/relay/v1/join/confirm`);
  expect(confirmation.html).not.toContain('value="join"');
});

test('someone who stops at the provider may try again', async () => {
  const login = await toProvider(joinAttempt(relay.origin).page);
  const stopped = await browser.open(`${login.url.href}/abort`);
  expect(stopped.url.origin).toBe(relay.origin);
  expect(stopped.html).toContain('You can try again');
  expect((await signInAs('ada')).url.pathname).toBe('/relay/v1/join/confirm');
});

test('a reply that is not this browser’s, or comes twice, is not believed', async () => {
  const confirmation = await signInAs('ada');
  const callback = confirmation.trail.find((url) => url.includes('/callback?')) ?? '';
  expect(callback).toContain('code=');
  const again = await browser.open(callback);
  expect([again.status, again.html]).toEqual([
    403,
    expect.stringContaining('does not belong to this sign-in') as string,
  ]);

  const other = pageBrowser();
  expect((await other.open(callback)).status).toBe(400);
  await other.open(joinAttempt(relay.origin).page);
  const foreign = await other.open(callback);
  expect(foreign.html).toContain('does not belong to this sign-in');
});

test('a provider that is down is said to be, and asked again', async () => {
  const signIn = createOpenIdSignIn(provider, () => undefined);
  const second = await files.start({ signIn });
  provider.goDown(true);
  await browser.open(joinAttempt(second.origin).page);
  const down = await browser.open(`${second.origin}/relay/v1/join/sign-in`);
  expect(down.html).toContain('does not answer');
  provider.goDown(false);
  const back = await fetch(`${second.origin}/relay/v1/join/sign-in`, {
    redirect: 'manual',
    headers: { cookie: browser.cookiesOf(second.origin)[0]?.split(';')[0] ?? '' },
  });
  await second.stop();
  expect([back.status, new URL(back.headers.get('location') ?? '').origin]).toEqual([
    303,
    provider.issuer.origin,
  ]);
});

test('a provider that goes down while someone signs in is said to be, and not disbelieved', async () => {
  provider.goDown('/token');
  const end = await signInAs('ada');
  expect(end.html).toContain('does not answer');
});

test('the relay says that one can sign in', async () => {
  const reply = await fetch(`${relay.origin}/.well-known/counterfoil-relay`);
  expect(await reply.json()).toMatchObject({
    counterfoil_relay: { sign_in: ['openid', 'invite'] },
  });
});
