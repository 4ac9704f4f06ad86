/** In UTF-16 units. */
export const maxUrlLength = 8192;

/**
 * Returns a link that may be followed or shown as a picture: absolute, http or https, without user info, 8,192 UTF-16
 * units at most. Returns undefined for anything else.
 */
export function safeUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : undefined;
}
