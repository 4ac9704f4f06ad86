import { mayAsk } from '#relay/calls/answer-call';
import type { ReadyReply, RelayRequest, Routes } from '#relay/http/messages';
import {
  type JoinBrowser,
  newCode,
  newJoinCookie,
  parseInvite,
  parseJoinCookie,
} from '#relay/join/credentials';
import {
  createJoinSessions,
  type JoinParts,
  languageOf,
  redirect,
  show,
} from '#relay/join/join-sessions';
import type { JoinTexts } from '#relay/join/texts';
import { choicePage, confirmPage, fill, joinedPage, linkPage, noticePage } from '#relay/join/pages';
import type { SignInFault } from '#relay/join/openid';
import { sameHash } from '#relay/rules/index';

const signInTexts = {
  'provider-unreachable': 'providerUnreachable',
  refused: 'refused',
  'not-believed': 'notBelieved',
  'no-email': 'noEmail',
  'no-subject': 'noSubject',
  'email-unverified': 'emailUnverified',
} as const satisfies Record<SignInFault['kind'], keyof JoinTexts>;

const joinMs = 10 * 60_000;
const codeMs = 60_000;
const maxWrongInvites = 5;
const base64Url43 = /^[A-Za-z0-9_-]{43}$/;
const callbackPath = '/relay/v1/join/sign-in/callback';

/** Creates the pages on which an agent joins, below `/relay/v1`. */
export function createJoinRoutes(parts: JoinParts): Routes {
  const { store, clocks, observer, name: team, origin, signIn } = parts;
  const { withJoin, withForm, withCookie, leave } = createJoinSessions(parts);

  const routes: Routes = {
    'GET /relay/v1/join': async (request) => {
      const { query } = request;
      const [state, challenge] = [query.get('state') ?? '', query.get('code_challenge') ?? ''];
      const language = languageOf(request);
      if (!query.has('state') && !query.has('code_challenge')) {
        return show(linkPage(language, team, `${origin()}/relay/v1/join`));
      }
      const isHashed = query.get('code_challenge_method') === 'S256';
      if (!isHashed || ![state, challenge].every((text) => base64Url43.test(text))) {
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
      // This is the query exactly as the provider sent it.
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
      // This also happens if the join goes no further: an agent who has lost a group loses its rights.
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
}
