import { parse } from 'hono/utils/cookie';

import { type ReadyReply, readBody, type RelayRequest, type Route } from '#relay/http/messages';
import { type JoinBrowser, parseJoinCookie } from '#relay/join/credentials';
import { findJoinLanguage } from '#relay/join/language';
import type { SignIn } from '#relay/join/openid';
import { noticePage, type Page } from '#relay/join/pages';
import type { JoinLanguage } from '#relay/join/texts';
import type { Clocks } from '#relay/machine/clocks';
import type { Observer } from '#relay/observe/observer';
import { hashOf, sameHash } from '#relay/rules/index';
import type { Store, Stored } from '#relay/store/index';

export interface JoinParts {
  readonly store: Store;
  readonly clocks: Clocks;
  readonly observer: Observer;
  readonly name: string;
  /** The relay's address as browsers see it. */
  readonly origin: () => string;
  readonly signIn?: SignIn | undefined;
}

const maxFormBytes = 16 * 1024;

interface Joining {
  readonly browser: JoinBrowser;
  readonly join: Stored<'join'>;
}

type JoinResult = { readonly code: string } | { readonly error: 'access_denied' | 'expired' };
type OfJoin = (request: RelayRequest, joining: Joining) => ReturnType<Route>;
type OfForm = (...of: [...Parameters<OfJoin>, form: URLSearchParams]) => ReturnType<Route>;

/** Ties each join to the browser that began it, by a cookie. */
interface JoinSessions {
  /** Finds the join of this browser, and runs `next` if it is valid. */
  readonly withJoin: (next: OfJoin) => Route;
  /** Runs `next` with a form that one of our pages has sent for this browser's join. */
  readonly withForm: (next: OfForm) => Route;
  /** Sets the cookie of a join. @param maxAge in seconds; 0 removes it */
  readonly withCookie: (reply: ReadyReply, value: string, maxAge: number) => ReadyReply;
  /** Ends a join and returns to Counterfoil, which reads the fragment from the tab that it has opened. */
  readonly leave: (join: Stored<'join'>, result: JoinResult) => Promise<ReadyReply>;
}

export function createJoinSessions({ store, clocks, origin }: JoinParts): JoinSessions {
  return { withJoin, withForm, withCookie, leave };

  function withJoin(next: OfJoin): Route {
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

  function withForm(next: OfForm): Route {
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

  async function leave({ id, state }: Stored<'join'>, result: JoinResult): Promise<ReadyReply> {
    await store.endJoin(id);
    const fragment = new URLSearchParams({ ...result, state });
    return withCookie(redirect(`/relay/v1/joined#${fragment.toString()}`), '', 0);
  }

  function cookieName(): string {
    return isHttps() ? '__Host-counterfoil-join' : 'counterfoil-join';
  }

  function withCookie(reply: ReadyReply, value: string, maxAge: number): ReadyReply {
    const place = isHttps() ? 'Path=/; HttpOnly; Secure' : 'Path=/relay/v1; HttpOnly';
    // The provider sends the browser back with a link, which only `Lax` cookies accompany.
    const cookie = `${cookieName()}=${value}; Max-Age=${String(maxAge)}; ${place}; SameSite=Lax`;
    return { ...reply, headers: { ...reply.headers, 'Set-Cookie': cookie } };
  }

  function isHttps(): boolean {
    return origin().startsWith('https:');
  }
}

const unknownJoin = (request: RelayRequest): Page =>
  noticePage(languageOf(request), 'unknownJoin', 'unknownJoinText');

export const languageOf = ({ incoming }: RelayRequest): JoinLanguage =>
  findJoinLanguage(incoming.headers['accept-language'] ?? '');

export function redirect(to: string): ReadyReply {
  const headers = { Location: to, 'Cache-Control': 'no-store' };
  return { status: 303, headers, body: Buffer.alloc(0) };
}

export async function show({ body, headers }: Page, status = 200): Promise<ReadyReply> {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/html; charset=UTF-8' },
    body: Buffer.from(String(await body)),
  };
}
