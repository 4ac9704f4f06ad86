import { isLoopback } from '#core/connections/origin';

/** Parses a typed address; where it names no scheme, https is assumed, and http on loopback. Returns undefined for what is no URL. */
export function parseWithAssumedScheme(typed: string): URL | undefined {
  // URL parsing drops tabs and line breaks, which would join separate lines into one address.
  if (/[\s\p{Cc}]/u.test(typed)) return undefined;
  if (/^(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(typed)) return parse(typed);
  const rest = typed.replace(/^\/\//, '');
  const secure = parse(`https://${rest}`);
  return secure !== undefined && isLoopback(secure.hostname) ? parse(`http://${rest}`) : secure;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
