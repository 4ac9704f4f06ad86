import { parse } from 'hono/utils/cookie';

import { mayAsk } from '#relay/calls/answer-call';
import type { Clocks } from '#relay/machine/clocks';
import {
  type ReadyReply,
  readBody,
  type RelayRequest,
  type Route,
  type Routes,
} from '#relay/http/messages';
import {
  type JoinBrowser,
  newCode,
  newJoinCookie,
  parseInvite,
  parseJoinCookie,
} from '#relay/join/credentials';
import { findJoinLanguage, type JoinLanguage, type JoinTexts } from '#relay/join/language';
import {
  choicePage,
  confirmPage,
  fill,
  joinedPage,
  linkPage,
  noticePage,
  type Page,
} from '#relay/join/pages';
import type { SignIn, SignInFault } from '#relay/join/openid';
import type { Observer } from '#relay/observe/observer';
import { hashOf, sameHash } from '#relay/rules/index';
import type { Store, Stored } from '#relay/store/index';

const unknownJoin = (request: RelayRequest): Page =>
  noticePage(languageOf(request), 'unknownJoin', 'unknownJoinText');

const signInTexts = {
  'provider-unreachable': 'providerUnreachable',
  refused: 'refused',
  'not-believed': 'notBelieved',
  'no-email': 'noEmail',
  'no-subject': 'noSubject',
  'email-unverified': 'emailUnverified',
} as const satisfies Record<SignInFault['kind'], keyof JoinTexts>;

export interface JoinParts {
  readonly store: Store;
  readonly clocks: Clocks;
  readonly observer: Observer;
  readonly name: string;
  /** The relay's address as browsers see it. */
  readonly origin: () => string;
  readonly signIn?: SignIn | undefined;
}

interface Joining {
  readonly browser: JoinBrowser;
  readonly join: Stored<'join'>;
}

const joinMs = 10 * 60_000;
const codeMs = 60_000;
const maxWrongInvites = 5;
const maxFormBytes = 16 * 1024;
const base64Url43 = /^[A-Za-z0-9_-]{43}$/;
const callbackPath = '/relay/v1/join/sign-in/callback';

/** Creates the pages on which an agent joins, below `/relay/v1`. */
export function createJoinRoutes(parts: JoinParts): Routes {
  const { store, clocks, observer, name: team, origin, signIn } = parts;

  const routes: Routes = {
    'GET /relay/v1/join': async (request) => {
      const { query } = request;
      const [state, challenge] = [query.get('state') ?? undefined, query.get('code_challenge')];
      const language = languageOf(request);
      if (state === undefined && challenge === null) {
        return show(linkPage(language, team, `${origin()}/relay/v1/join`));
      }
      if (
        state === undefined ||
        challenge === null ||
        !base64Url43.test(state) ||
        !base64Url43.test(challenge) ||
        query.get('code_challenge_method') !== 'S256'
      ) {
        return show(noticePage(language, 'badLink', 'again'), 400);
      }
      const cookie = newJoinCookie();
      const browser = parseJoinCookie(cookie);
      if (browser === undefined) throw new Error('A new cookie must have the right form.');
      const { id, hash } = browser;
      const join = { id, hash, state, challenge, expiresAt: clocks.now() + joinMs };
      if (!(await store.beginJoin(join))) {
        return show(noticePage(language, 'tooMany', 'tooManyText'), 503);
      }
      observer.join('begun');
      return withCookie(await choices(request, browser), cookie, joinMs / 1000);
    },

    'POST /relay/v1/join/invite': withForm(async (request, { browser, join }, form) => {
      const given = parseInvite(form.get('invite') ?? '');
      const invite = given && (await store.findInvite(given.id));
      if (given === undefined || invite === undefined || !sameHash(given.hash, invite.hash)) {
        observer.join('invite-refused');
        if ((await store.countWrongInvite(join.id)) >= maxWrongInvites) {
          return leave(join, { error: 'access_denied' });
        }
        return choices(request, browser, ({ inviteUnknown }) => inviteUnknown);
      }
      await store.identifyJoin(join.id, invite.agent, invite.id);
      return redirect('/relay/v1/join/confirm');
    }),

    'GET /relay/v1/join/sign-in': withJoin(async (request, { browser }) => {
      if (signIn === undefined) return choices(request, browser);
      const begun = await signIn.begin(origin() + callbackPath, browser);
      return begun.ok ? redirect(begun.value) : notSignedIn(request, browser, begun.fault);
    }),

    [`GET ${callbackPath}`]: withJoin(async (request, { browser, join }) => {
      if (signIn === undefined) return choices(request, browser);
      const callback = new URL(origin() + callbackPath);
      // The query exactly as the provider sent it.
      callback.search = /\?.*/.exec(request.incoming.url ?? '')?.[0] ?? '';
      const finished = await signIn.finish(callback, browser);
      if (!finished.ok) return notSignedIn(request, browser, finished.fault);
      const { identity, role } = finished.value;
      const agent = (await store.agents()).find((one) =>
        'email' in identity ? one.email === identity.email : one.subject === identity.subject,
      );
      if (agent === undefined) {
        observer.join('no-agent');
        const named = 'email' in identity ? identity.email : identity.subject;
        return choices(request, browser, ({ noAgent }) => fill(noAgent, { email: named }));
      }
      // Also where the join goes no further: who has lost a group has lost its rights.
      if (role !== undefined) await store.followGroups(agent.id, role);
      await store.identifyJoin(join.id, agent.id);
      return redirect('/relay/v1/join/confirm');
    }),

    'GET /relay/v1/join/confirm': withJoin(async (request, { browser, join }) => {
      const agent = (await store.agents()).find(({ id }) => id === join.agent);
      if (agent === undefined) return choices(request, browser);
      const role = (await store.roles()).find(({ name }) => name === agent.role);
      const connections = (await store.connections())
        .filter((one) => mayAsk(agent.role, one))
        .map(({ name }) => name);
      const page = confirmPage(languageOf(request), {
        team,
        csrfToken: browser.csrfToken,
        email: agent.email,
        connections,
        role: role ?? { name: agent.role, maySee: [] },
      });
      return show(page);
    }),

    'POST /relay/v1/join/confirm': withForm(async (_request, { join }, form) => {
      if (form.get('decision') !== 'join') return leave(join, { error: 'access_denied' });
      const code = newCode(clocks.now() + codeMs);
      const confirmed = await store.confirmJoin(join.id, code.record);
      observer.join(confirmed ? 'confirmed' : 'not-confirmed', join.agent);
      return leave(join, confirmed ? { code: code.text } : { error: 'access_denied' });
    }),

    'GET /relay/v1/joined': (request) => show(joinedPage(languageOf(request))),
  };
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      (request) =>
        route(request).catch((error: unknown) => {
          observer.storeFault('join', error);
          return show(noticePage(languageOf(request), 'noStore', 'noStoreText'), 503);
        }),
    ]),
  );

  /** Finds the join of this browser, and runs `next` on one that holds. */
  function withJoin(next: (request: RelayRequest, joining: Joining) => ReturnType<Route>): Route {
    return async (request) => {
      const cookies = parse(request.incoming.headers.cookie ?? '', cookieName());
      const browser = parseJoinCookie(cookies[cookieName()]);
      const join = browser && (await store.findJoin(browser.id));
      if (browser === undefined || join === undefined || !sameHash(browser.hash, join.hash)) {
        return show(unknownJoin(request), 400);
      }
      if (join.expiresAt <= clocks.now()) return leave(join, { error: 'expired' });
      return next(request, { browser, join });
    };
  }

  /** Runs `next` on a form that one of our pages has sent for this browser's join. */
  function withForm(
    next: (request: RelayRequest, joining: Joining, form: URLSearchParams) => ReturnType<Route>,
  ): Route {
    return async (request) => {
      const { incoming } = request;
      if (incoming.headers.origin !== origin()) {
        const values = { origin: origin() };
        const language = languageOf(request);
        return show(noticePage(language, 'otherOrigin', 'otherOriginText', values), 403);
      }
      const body = await readBody(incoming, maxFormBytes);
      if (!body.ok) {
        if (body.fault === 'cut-off') return undefined;
        const page = await show(unknownJoin(request), 400);
        return { ...page, headers: { ...page.headers, Connection: 'close' } };
      }
      const form = new URLSearchParams(body.value.toString());
      const proven = withJoin((_, joining) => {
        const token = hashOf(form.get('csrf') ?? '');
        return sameHash(token, hashOf(joining.browser.csrfToken))
          ? next(request, joining, form)
          : show(unknownJoin(request), 403);
      });
      return proven(request);
    };
  }

  function choices(
    request: RelayRequest,
    { csrfToken }: JoinBrowser,
    problem?: (texts: JoinTexts) => string,
  ): Promise<ReadyReply> {
    const provider = signIn?.provider;
    const language = languageOf(request);
    const said = problem?.(language.texts);
    const page = choicePage(language, { team, csrfToken, provider, problem: said });
    return show(page, problem === undefined ? 200 : 403);
  }

  function notSignedIn(
    request: RelayRequest,
    browser: JoinBrowser,
    fault: SignInFault,
  ): Promise<ReadyReply> {
    observer.join(fault.kind);
    const values = 'email' in fault ? { email: fault.email } : {};
    return choices(request, browser, (texts) => fill(texts[signInTexts[fault.kind]], values));
  }

  /** Ends a join: back to Counterfoil, which reads the fragment from the tab that it has opened. */
  async function leave(
    { id, state }: Stored<'join'>,
    result: { readonly code: string } | { readonly error: 'access_denied' | 'expired' },
  ): Promise<ReadyReply> {
    await store.endJoin(id);
    const fragment = new URLSearchParams({ ...result, state });
    return withCookie(redirect(`/relay/v1/joined#${fragment.toString()}`), '', 0);
  }

  function cookieName(): string {
    return isHttps() ? '__Host-counterfoil-join' : 'counterfoil-join';
  }

  /** Sets the cookie of a join. @param maxAge in seconds; 0 takes it away */
  function withCookie(reply: ReadyReply, value: string, maxAge: number): ReadyReply {
    const place = isHttps() ? 'Path=/; HttpOnly; Secure' : 'Path=/relay/v1; HttpOnly';
    // The provider sends the browser back by a link, with which only `Lax` cookies go along.
    const cookie = `${cookieName()}=${value}; Max-Age=${String(maxAge)}; ${place}; SameSite=Lax`;
    return { ...reply, headers: { ...reply.headers, 'Set-Cookie': cookie } };
  }

  function isHttps(): boolean {
    return origin().startsWith('https:');
  }
}

const languageOf = ({ incoming }: RelayRequest): JoinLanguage =>
  findJoinLanguage(incoming.headers['accept-language'] ?? '');

function redirect(to: string): ReadyReply {
  const headers = { Location: to, 'Cache-Control': 'no-store' };
  return { status: 303, headers, body: Buffer.alloc(0) };
}

async function show({ body, headers }: Page, status = 200): Promise<ReadyReply> {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/html; charset=UTF-8' },
    body: Buffer.from(String(await body)),
  };
}
