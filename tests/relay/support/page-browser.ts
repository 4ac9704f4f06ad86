/** Holds a page as a browser has it before it, after all redirects. */
export interface Seen {
  /** With its fragment. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Every address that led here, this one included. */
  readonly trail: readonly string[];
}

/**
 * Opens pages and sends forms as a browser does: with cookies, redirects and an `Origin`, and without running a script.
 */
export interface PageBrowser {
  open(url: string | URL): Promise<Seen>;
  /** Sends the page's first form, hidden fields included. @param headers in place of the browser's own */
  submit(
    page: Seen,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>;
  /** Returns the cookies that an origin has set, as their headers were. */
  cookiesOf(origin: string): readonly string[];
  forget(): void;
}

export function pageBrowser(): PageBrowser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  function keep(origin: string, reply: Response): void {
    for (const header of reply.headers.getSetCookie()) {
      const name = header.slice(0, header.indexOf('='));
      const ended = /;\s*max-age=0\b/i.test(header) || /expires=Thu, 01 Jan 1970/i.test(header);
      if (ended) jarOf(origin).delete(name);
      else jarOf(origin).set(name, header);
    }
  }

  async function go(url: URL, init: RequestInit, trail: readonly string[]): Promise<Seen> {
    const cookie = [...jarOf(url.origin).values()]
      .map((header) => header.split(';')[0] ?? '')
      .join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '' && !headers.has('cookie')) headers.set('cookie', cookie);
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' });
    keep(url.origin, reply);
    const location = reply.headers.get('location');
    const been = [...trail, url.href];
    if (location !== null && reply.status >= 300 && reply.status < 400) {
      if (been.length > 20) throw new Error(`It leads on and on: ${been.join(' ')}`);
      await reply.body?.cancel();
      return go(new URL(location, url), {}, been);
    }
    return {
      url,
      status: reply.status,
      headers: reply.headers,
      html: await reply.text(),
      trail: been,
    };
  }

  return {
    open: (url) => go(new URL(url), {}, []),
    submit: (page, fields = {}, headers = {}) => {
      const action = /<form[^>]*\saction="([^"]*)"/.exec(page.html)?.[1];
      const hidden = [
        ...page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g),
      ];
      const values = hidden.map(([, name = '', value = '']) => [name, value]);
      const body = new URLSearchParams([...values, ...Object.entries(fields)]);
      const url = new URL(action ?? page.url, page.url);
      return go(
        url,
        { method: 'POST', body, headers: { origin: page.url.origin, ...headers } },
        [],
      );
    },
    cookiesOf: (origin) => [...jarOf(origin).values()],
    forget: () => {
      jars.clear();
    },
  };
}
