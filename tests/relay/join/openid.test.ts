import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createOpenIdSignIn, type OpenIdSettings } from '#relay/join/openid';
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
  const others = relayFiles();
  const second = await others.start({ signIn });
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
  others.remove();
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

describe('a provider that', () => {
  let told: Record<string, object>;
  let other: OpenIdProvider;
  let own: RelayFiles;
  beforeEach(async () => {
    told = {};
    other = await openIdProvider((id) => told[id] ?? {});
    own = relayFiles();
    await own.admin('roles set lead balance');
    await own.admin('agents add ada@fenwick.test');
  });
  afterEach(async () => {
    await other.close();
    own.remove();
  });

  /** Signs in at a relay with these settings; returns the page that follows. */
  async function signIn(name: string, settings: Partial<OpenIdSettings>): Promise<Seen> {
    const signIn = createOpenIdSignIn({ ...other, ...settings }, () => undefined);
    const at = await own.start({ signIn });
    try {
      other.register(`${at.origin}/relay/v1/join/sign-in/callback`);
      const page = pageBrowser();
      await page.open(joinAttempt(at.origin).page);
      const login = await page.open(`${at.origin}/relay/v1/join/sign-in`);
      const consent = await page.submit(login, { login: name, password: 'x' });
      return await page.submit(consent);
    } finally {
      await at.stop();
    }
  }
  const roleOf = async (): Promise<string | undefined> =>
    (await own.admin('agents list')).split('\t')[1];

  test.each(['true', 1, null, undefined])(
    'says %j of an address, and not that it is confirmed, lets nobody in',
    async (verified) => {
      told['ada'] = { email: 'ada@fenwick.test', email_verified: verified };
      expect((await signIn('ada', {})).html).toContain('has not confirmed');
    },
  );

  test('has not signed what it seems to say lets nobody in', async () => {
    other.register('http://127.0.0.1/');
    await other.publishForeignKeys();
    const { html } = await signIn('ada', {});
    expect(html).toContain('does not belong to this sign-in');
  });

  test('cannot be reached is not asked about a reply to another sign-in', async () => {
    const signIn = createOpenIdSignIn(
      { ...other, issuer: new URL('http://127.0.0.1:1') },
      () => undefined,
    );
    const openId = { state: 'own', nonce: 'nonce', verifier: 'verifier' };
    const callback = (state: string): URL => new URL(`https://relay.test/?code=x&state=${state}`);
    const finish = (state: string): unknown =>
      signIn.finish(callback(state), { openId } as Parameters<typeof signIn.finish>[1]);
    expect(await finish('other')).toMatchObject({ fault: { kind: 'not-believed' } });
    expect(await finish('own')).toMatchObject({ fault: { kind: 'provider-unreachable' } });
  });

  test.each([
    ['names as its issuer', 'own', 'provider-unreachable'],
    ['does not name', 'https://other.test', 'not-believed'],
    ['names no more', undefined, 'not-believed'],
  ])(
    'has not given a reply that it %s: it is not asked about it (RFC 9207)',
    async (_what, issuer, kind) => {
      other.register('https://relay.test/');
      const signIn = createOpenIdSignIn(other, () => undefined);
      const openId = { state: 'own', nonce: 'nonce', verifier: 'verifier' };
      const callback = new URL('https://relay.test/?code=x&state=own');
      if (issuer !== undefined)
        callback.searchParams.set('iss', issuer === 'own' ? other.issuer.origin : issuer);
      other.goDown('/token');
      const finished = signIn.finish(callback, { openId } as Parameters<typeof signIn.finish>[1]);
      expect(await finished).toMatchObject({ fault: { kind } });
    },
  );

  describe('names groups', () => {
    const lead = { role: 'lead', group: 'cn=Support leads,dc=fenwick' };
    const groups = { claim: 'groups', roles: [lead, { role: 'agent', group: 'support' }] };
    const ada = { email: 'ada@fenwick.test', email_verified: true };

    test('gives an agent the role of the first group that has one, and takes it away with the group', async () => {
      expect(await roleOf()).toBe('agent');
      told['ada'] = { ...ada, groups: ['all', 'support', lead.group] };
      expect((await signIn('ada', { groups })).html).toContain('lead');
      expect(await roleOf()).toBe('lead');
      const token = await own.admin(
        'invites redeem',
        await own.admin('invites add ada@fenwick.test'),
      );
      const maySee = (): Promise<unknown> =>
        own.administer(
          async (store) => (await store.findToken(token.split('_')[1] ?? ''))?.role.maySee,
        );
      expect(await maySee()).toEqual(['balance']);
      told['ada'] = { ...ada, groups: ['all'] };
      await signIn('ada', { groups });
      // Of a token that is out already, too.
      expect([await roleOf(), await maySee()]).toEqual(['agent', []]);
      const audit = await own.admin('audit csv');
      expect(audit.match(/agent-role-set.*,sign-in$/gm)).toHaveLength(2);
    });

    test.each([
      ['tells none', {}],
      ['tells one as a text', { groups: lead.group }],
    ])('of somebody of whom it %s, is read as it is', async (_what, claims) => {
      await own.admin('agents role ada@fenwick.test lead');
      told['ada'] = { ...ada, ...claims };
      await signIn('ada', { groups });
      expect(await roleOf()).toBe('groups' in claims ? 'lead' : 'agent');
    });

    test('changes no role where roles do not follow groups', async () => {
      await own.admin('agents role ada@fenwick.test lead');
      told['ada'] = { ...ada, groups: ['support'] };
      await signIn('ada', {});
      expect(await roleOf()).toBe('lead');
    });

    test('is not served with a role that is not there', async () => {
      const missing = { claim: 'groups', roles: [{ role: 'chief', group: 'x' }] };
      const signIn = createOpenIdSignIn({ ...other, groups: missing }, () => undefined);
      await expect(own.start({ signIn })).rejects.toThrow('admin roles set chief');
    });
  });

  describe('vouches for no e-mail address, as Microsoft Entra,', () => {
    const tid = '9188040d-6c67-4c5b-b112-36a304b66dad';
    const oid = '00000000-0000-0000-66f3-3332eca7ea81';
    // Anybody may give themselves this address there.
    const email = 'ada@fenwick.test';
    const entra = { identifiedBy: 'object-id' } as const;

    test('lets an agent in by tenant and object, and nobody by the address', async () => {
      told['ada'] = { email, tid, oid };
      expect((await signIn('ada', {})).html).toContain('has not confirmed');
      const unknown = await signIn('ada', entra);
      expect(unknown.html).toContain(`${tid}/${oid} is not on this team’s list`);
      await own.admin(`agents identify ${email} ${tid}/${oid}`);
      expect((await signIn('ada', entra)).url.pathname).toBe('/relay/v1/join/confirm');
      told['eve'] = { email, tid, oid: 'another' };
      expect((await signIn('eve', entra)).status).toBe(403);
      told['bob'] = { email, tid: 'another', oid };
      expect((await signIn('bob', entra)).status).toBe(403);
    });

    test('and tells no object, lets nobody in', async () => {
      told['ada'] = { email, tid };
      expect((await signIn('ada', entra)).html).toContain('did not tell the relay who you are');
    });
  });
});
