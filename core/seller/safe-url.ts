const maxUrlLength = 8192;

/**
 * A link that may be followed or shown as a picture: absolute, http or https, without user info. Anything else is `undefined`:
 * an unsafe link is no link, and no fault of the reply that holds it.
 */
export function safeUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : undefined;
}
