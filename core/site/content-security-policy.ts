/**
 * The content security policy of the verifier's pages as a site: no requests to other origins, and no scripts but their
 * own. It is in the page's `<meta>`, in the headers of every server that we document, and in the service worker's
 * responses, because a worker takes its policy only from its own response.
 */
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vue counterfoil',
];

/** The policy for `<meta>`, without `frame-ancestors`, which browsers ignore there with a message in the console. */
export const verifierMetaPolicy = directives
  .filter((directive) => !directive.startsWith('frame-ancestors'))
  .join('; ');

/** The headers for every response: name and value. */
export const verifierHeaders: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', directives.join('; ')],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
];
