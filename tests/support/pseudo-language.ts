import type { Catalogue } from '#core/text/index';

/** Each vowel stands twice, which makes a text longer by about two fifths. */
const letters: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'aáà',
    'eéè',
    'iíì',
    'oóò',
    'uúù',
    'AÁÀ',
    'EÉÈ',
    'IÍÌ',
    'OÓÒ',
    'UÚÙ',
    'cç',
    'dđ',
    'hĥ',
    'kķ',
    'lĺ',
    'nñ',
    'rŕ',
    'sš',
    'tŧ',
    'wŵ',
    'yý',
    'zž',
    'CÇ',
    'SŠ',
    'TŦ',
  ].map((line) => [line.charAt(0), line.slice(1)]),
);

/** Writes an English text in the pseudo-language: accented, longer and in brackets. Values and plural forms stay. */
function pseudoText(text: string): string {
  return text
    .split('|')
    .map((form) => {
      const parts = form.trim().split(/(\{[^}]*\})/);
      return `⟦${parts.map((part) => (part.startsWith('{') ? part : accented(part))).join('')}⟧`;
    })
    .join('|');
}

/** Writes a whole English catalogue in the pseudo-language. */
export function pseudoCatalogue(english: Catalogue): Catalogue {
  return Object.fromEntries(
    Object.entries(english).map(([name, value]) => [
      name,
      typeof value === 'string' ? pseudoText(value) : pseudoCatalogue(value),
    ]),
  );
}

/** Returns what is left of a text without the parts in brackets, those within one another too. */
export function outsideBrackets(text: string): string {
  const bare = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return bare === text ? text : outsideBrackets(bare);
}

function accented(text: string): string {
  return text.replaceAll(/./gsu, (sign) => letters[sign] ?? sign);
}
