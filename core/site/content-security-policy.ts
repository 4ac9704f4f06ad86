/**
 * What the verifier's pages may do when they are served as a site: they send no request to another origin and run no
 * script but their own.
 * Stands in the page's `<meta>`, in the headers of every server we document, and in what the service worker answers,
 * since a worker takes its policy from its own response alone.
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

/** The policy for a `<meta>`: browsers ignore `frame-ancestors` there, and say so in the console. */
export const verifierMetaPolicy = directives
  .filter((directive) => !directive.startsWith('frame-ancestors'))
  .join('; ');

/** The headers for every response: name and value. */
export const verifierHeaders: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', directives.join('; ')],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
];
