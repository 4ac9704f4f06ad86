import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

import { type RelayEnvironment, readBody, refuseBody } from '#relay/http/messages';
import { type JoinBrowser, newJoinCookie, parseJoinCookie } from '#relay/join/join-browser';
import { newCode, parseInvite } from '#relay/join/credentials';
import { type JoinLanguage, type JoinTexts, languageOf } from '#relay/join/language';
import {
  choicePage,
  confirmPage,
  fill,
  joinedPage,
  linkPage,
  noticePage,
  type Page,
} from '#relay/join/pages';
import type { SignIn, SignInFault } from '#relay/join/sign-in';

import type { Observer } from '#relay/observe/observer';
import { hashOf, sameHash } from '#relay/rules/token';
import type { JoinRecord } from '#relay/store/records';
import type { AdminStore, JoinStore, StoreClocks } from '#relay/store/store';

const notice =
  (title: keyof JoinTexts, text: keyof JoinTexts) =>
  (language: JoinLanguage): Page =>
    noticePage(language, language.texts[title], language.texts[text]);

/** Holds the pages that say why it does not go on. */
const pages = {
  badLink: notice('badLink', 'again'),
  tooMany: notice('tooMany', 'tooManyText'),
  unknownJoin: notice('unknownJoin', 'unknownJoinText'),
  noStore: notice('noStore', 'noStoreText'),
  otherOrigin: (language: JoinLanguage, origin: string): Page =>
    noticePage(
      language,
      language.texts.otherOrigin,
      fill(language.texts.otherOriginText, { origin }),
    ),
};

/** Returns what a failed sign-in is called. */
function describeSignInFault(texts: JoinTexts, fault: SignInFault): string {
  switch (fault.kind) {
    case 'provider-unreachable':
      return texts.providerUnreachable;
    case 'refused':
      return texts.refused;
    case 'not-believed':
      return texts.notBelieved;
    case 'no-email':
      return texts.noEmail;
    case 'no-subject':
      return texts.noSubject;
    case 'email-unverified':
      return fill(texts.emailUnverified, { email: fault.email });
  }
}

/** Holds what the join pages work with. */
export interface JoinParts {
  readonly store: JoinStore &
    Pick<AdminStore, 'agents' | 'connections' | 'countMonth' | 'revokeToken' | 'roles'>;
  readonly clocks: StoreClocks;
  readonly observer: Observer;
  /** The team's name. */
  readonly name: string;
  /** The relay's address as browsers see it. */
  readonly origin: () => string;
  readonly signIn?: SignIn | undefined;
}

interface Joining {
  readonly browser: JoinBrowser;
  readonly join: JoinRecord;
}

type C = Context<RelayEnvironment>;

const joinMs = 10 * 60_000;
const codeMs = 60_000;
const maxWrongInvites = 5;
const maxFormBytes = 16 * 1024;
const base64Url43 = /^[A-Za-z0-9_-]{43}$/;
const callbackPath = '/relay/v1/join/sign-in/callback';

/** Creates the pages on which an agent joins, below `/relay/v1`. */
export function createJoinRoutes(parts: JoinParts): Hono<RelayEnvironment> {
  const { store, clocks, observer, name: team, origin, signIn } = parts;
  const app = new Hono<RelayEnvironment>();

  app.get('/join', async (c) => {
    const { state, code_challenge: challenge, code_challenge_method: method } = c.req.query();
    const link = `${origin()}/relay/v1/join`;
    if (state === undefined && challenge === undefined)
      return show(c, linkPage(languageOf(c), team, link));
    if (!base64Url43.test(state ?? '') || !base64Url43.test(challenge ?? '') || method !== 'S256') {
      return show(c, pages.badLink(languageOf(c)), 400);
    }
    const cookie = newJoinCookie();
    const browser = parseJoinCookie(cookie);
    if (browser === undefined || state === undefined || challenge === undefined) {
      throw new Error('A new cookie must have the right form.');
    }
    const { id, hash } = browser;
    const join = { id, hash, state, challenge, expiresAt: clocks.now() + joinMs };
    if (!(await store.beginJoin(join))) return show(c, pages.tooMany(languageOf(c)), 503);
    setCookie(c, cookieName(), cookie, cookieOptions());
    observer.join('begun');
    return choices(c, browser);
  });

  app.post('/join/invite', (c) =>
    withForm(c, async ({ browser, join }, form) => {
      const given = parseInvite(form.get('invite') ?? '');
      const invite = given && (await store.findInvite(given.id));
      if (given === undefined || invite === undefined || !sameHash(given.hash, invite.hash)) {
        observer.join('invite-refused');
        if ((await store.countWrongInvite(join.id)) >= maxWrongInvites) {
          return leave(c, join, { error: 'access_denied' });
        }
        return choices(c, browser, ({ inviteUnknown }) => inviteUnknown);
      }
      await store.identifyJoin(join.id, invite.agent, invite.id);
      return c.redirect('/relay/v1/join/confirm', 303);
    }),
  );

  app.get('/join/sign-in', (c) =>
    withJoin(c, async ({ browser }) => {
      if (signIn === undefined) return choices(c, browser);
      const begun = await signIn.begin(origin() + callbackPath, browser);
      if (begun.ok) return c.redirect(begun.value, 303);
      observer.join(begun.fault.kind);
      return choices(c, browser, (texts) => describeSignInFault(texts, begun.fault));
    }),
  );

  app.get('/join/sign-in/callback', (c) =>
    withJoin(c, async ({ browser, join }) => {
      if (signIn === undefined) return choices(c, browser);
      const callback = new URL(origin() + callbackPath);
      callback.search = new URL(c.req.url).search;
      const finished = await signIn.finish(callback, browser);
      if (!finished.ok) {
        observer.join(finished.fault.kind);
        return choices(c, browser, (texts) => describeSignInFault(texts, finished.fault));
      }
      const { identity, role } = finished.value;
      const agent = (await store.agents()).find((one) =>
        'email' in identity ? one.email === identity.email : one.subject === identity.subject,
      );
      if (agent === undefined) {
        observer.join('no-agent');
        const named = 'email' in identity ? identity.email : identity.subject;
        return choices(c, browser, ({ noAgent }) => fill(noAgent, { email: named }));
      }
      // Also where the join goes no further: who has lost a group has lost its rights.
      if (role !== undefined) await store.followGroups(agent.id, role);
      await store.identifyJoin(join.id, agent.id);
      return c.redirect('/relay/v1/join/confirm', 303);
    }),
  );

  app.get('/join/confirm', (c) =>
    withJoin(c, async ({ browser, join }) => {
      const agent = (await store.agents()).find(({ id }) => id === join.agent);
      if (agent === undefined) return choices(c, browser);
      const role = (await store.roles()).find(({ name }) => name === agent.role);
      const connections = (await store.connections()).map(({ name }) => name);
      const { csrfToken } = browser;
      const { email } = agent;
      return show(
        c,
        confirmPage(languageOf(c), {
          team,
          csrfToken,
          email,
          connections,
          role: role ?? { name: agent.role, sees: [] },
        }),
      );
    }),
  );

  app.post('/join/confirm', (c) =>
    withForm(c, async ({ join }, form) => {
      if (form.get('decision') !== 'join') return leave(c, join, { error: 'access_denied' });
      const code = newCode(clocks.now() + codeMs);
      const confirmed = await store.confirmJoin(join.id, code.record);
      observer.join(confirmed ? 'confirmed' : 'not-confirmed', join.agent);
      return leave(c, join, confirmed ? { code: code.text } : { error: 'access_denied' });
    }),
  );

  app.get('/joined', (c) => show(c, joinedPage(languageOf(c))));

  app.onError((error, c) => {
    observer.storeFault('join', error);
    return show(c as C, pages.noStore(languageOf(c)), 503);
  });
  return app;

  /** Finds the join of this browser, and runs `next` on one that holds. */
  async function withJoin(c: C, next: (joining: Joining) => Promise<Response>): Promise<Response> {
    const browser = parseJoinCookie(getCookie(c, cookieName()));
    const join = browser && (await store.findJoin(browser.id));
    if (browser === undefined || join === undefined || !sameHash(browser.hash, join.hash)) {
      return show(c, pages.unknownJoin(languageOf(c)), 400);
    }
    if (join.expiresAt <= clocks.now()) return leave(c, join, { error: 'expired' });
    return next({ browser, join });
  }

  /** Runs `next` on a form that one of our pages has sent for this browser's join. */
  async function withForm(
    c: C,
    next: (joining: Joining, form: URLSearchParams) => Promise<Response>,
  ): Promise<Response> {
    if (c.req.header('origin') !== origin())
      return show(c, pages.otherOrigin(languageOf(c), origin()), 403);
    const body = await readBody(c.env.incoming, maxFormBytes);
    if (!body.ok) {
      return refuseBody(body.fault, () => {
        c.header('Connection', 'close');
        return show(c, pages.unknownJoin(languageOf(c)), 400);
      });
    }
    const form = new URLSearchParams(body.value.toString());
    return withJoin(c, async (joining) => {
      const token = hashOf(form.get('csrf') ?? '');
      if (!sameHash(token, hashOf(joining.browser.csrfToken)))
        return show(c, pages.unknownJoin(languageOf(c)), 403);
      return next(joining, form);
    });
  }

  function choices(
    c: C,
    { csrfToken }: JoinBrowser,
    problem?: (texts: JoinTexts) => string,
  ): Response | Promise<Response> {
    const provider = signIn?.provider;
    const language = languageOf(c);
    const said = problem?.(language.texts);
    const page = choicePage(language, { team, csrfToken, provider, problem: said });
    return show(c, page, problem === undefined ? 200 : 403);
  }

  /** Ends a join: back to Counterfoil, which reads the fragment from the tab that it has opened. */
  async function leave(
    c: C,
    { id, state }: JoinRecord,
    result: { readonly code: string } | { readonly error: 'access_denied' | 'expired' },
  ): Promise<Response> {
    await store.endJoin(id);
    deleteCookie(c, cookieName(), cookieOptions());
    const fragment = new URLSearchParams({ ...result, state });
    c.header('Cache-Control', 'no-store');
    return c.redirect(`/relay/v1/joined#${fragment.toString()}`, 303);
  }

  function cookieName(): string {
    return isHttps() ? '__Host-counterfoil-join' : 'counterfoil-join';
  }

  function cookieOptions(): Parameters<typeof setCookie>[3] {
    return {
      path: isHttps() ? '/' : '/relay/v1',
      secure: isHttps(),
      httpOnly: true,
      // The provider sends the browser back by a link, with which only `Lax` cookies go along.
      sameSite: 'Lax',
      maxAge: joinMs / 1000,
    };
  }

  function isHttps(): boolean {
    return origin().startsWith('https:');
  }
}

function show(
  c: C,
  { body, headers }: Page,
  status: 200 | 400 | 403 | 503 = 200,
): Response | Promise<Response> {
  return c.html(body, status, headers);
}
