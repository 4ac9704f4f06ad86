const hiddenCharacters = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;
/** A lower-case name that ends in letters needs no parser: it cannot be a disguised IP address. */
const simplePattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+\.?$/;

/**
 * Returns the host that a text names, in lower-case ASCII. One trailing dot, a port, a scheme and a path are dropped,
 * and an internationalised name becomes punycode. `undefined` if it names no host.
 */
export function hostOf(text: string): string | undefined {
  if (simplePattern.test(text) && !text.includes('xn--')) return text.replace(/\.$/, '');
  const bare = text.replaceAll(hiddenCharacters, '').trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare)
    ? bare.replace(/^[^:]+/, 'https')
    : `https://${bare.replace(/^\/\//, '')}`;
  if (!URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return host === '' ? undefined : host;
}

export function hasHiddenCharacters(text: string): boolean {
  return !simplePattern.test(text) && text.replaceAll(hiddenCharacters, '') !== text;
}
