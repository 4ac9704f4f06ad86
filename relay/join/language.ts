import { parseAccept } from 'hono/utils/accept';

import { findLanguage } from '#core/text/index';
import { type JoinLanguage, joinLanguages } from '#relay/join/texts';
import en from '#locales/en/join.json' with { type: 'json' };

const english: JoinLanguage = { tag: 'en', texts: en.joinPages };
const tags = joinLanguages.map(({ tag }) => tag);
/** Language, script and region (RFC 5646, 2.1); anything after them is ignored. */
const plainTag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?=-|$)/i;
/** A browser names a handful. Each look-up takes some microseconds, and anybody may send thousands. */
const most = { characters: 512, languages: 16 };

/** Returns the language that a browser asks for with `Accept-Language` (RFC 9110, 12.5.4); English if it asks for none of ours. */
export function findJoinLanguage(accepted: string): JoinLanguage {
  const wanted = parseAccept(accepted.slice(0, most.characters)).slice(0, most.languages);
  for (const { type } of wanted) {
    const tag = plainTag.exec(type)?.[0];
    const found = tag === undefined ? undefined : findLanguage(tag, tags);
    if (found !== undefined) return joinLanguages.find((one) => one.tag === found) ?? english;
  }
  return english;
}
