/** Tells whether keys and codes may be sent to an origin: https, or http on loopback. */
export function isSafeOrigin({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Tells whether a host name is `localhost` or `127.0.0.1`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

/**
 * Returns the match pattern of the permission for an address. Match patterns have no port. Throws if the address is not
 * a URL.
 * @param address absolute, such as one normalised by `parseBaseAddress`
 */
export function originPattern(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
}

/**
 * Parses a typed address. Without a scheme it is taken as https, or as http on loopback. Returns undefined if it is not
 * a URL, or is a single word, which could be any name.
 */
export function parseWithAssumedScheme(typed: string): URL | undefined {
  // URL parsing drops tabs and line breaks, which would join separate lines into one address.
  if (/[\s\p{Cc}]/u.test(typed)) return undefined;
  if (/^(?:https?:|[a-z][a-z0-9+.-]*:\/)/i.test(typed)) return parse(typed);
  const rest = typed.replace(/^\/\//, '');
  const secure = parse(`https://${rest}`);
  if (secure === undefined) return undefined;
  if (isLoopback(secure.hostname)) return parse(`http://${rest}`);
  return secure.port === '' && /^[^.:]+$/u.test(secure.hostname) ? undefined : secure;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
