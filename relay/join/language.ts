import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

import { findLanguage } from '#core/text/language';
import { ar } from '#relay/join/texts/ar';
import { de } from '#relay/join/texts/de';
import { en, type JoinTexts } from '#relay/join/texts/en';
import { es } from '#relay/join/texts/es';
import { fr } from '#relay/join/texts/fr';
import { hi } from '#relay/join/texts/hi';
import { id } from '#relay/join/texts/id';
import { ja } from '#relay/join/texts/ja';
import { ptBr } from '#relay/join/texts/pt-br';
import { tr } from '#relay/join/texts/tr';
import { vi } from '#relay/join/texts/vi';
import { zhCn } from '#relay/join/texts/zh-cn';

/** Holds a language of the join pages. */
export interface JoinLanguage {
  /** Its BCP 47 tag. */
  readonly tag: string;
  readonly texts: JoinTexts;
}

/** Lists the languages of the join pages: those of Counterfoil's interface. */
export const joinLanguages: readonly JoinLanguage[] = Object.entries({
  en,
  ar,
  de,
  es,
  fr,
  hi,
  id,
  ja,
  'pt-BR': ptBr,
  tr,
  vi,
  'zh-CN': zhCn,
}).map(([tag, texts]) => ({ tag, texts }));

const english: JoinLanguage = { tag: 'en', texts: en };
const tags = joinLanguages.map(({ tag }) => tag);
/** Language, script and region (RFC 5646, 2.1); what may follow says nothing here. */
const plainTag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?=-|$)/i;

/** Returns the language that a browser asks for, `Accept-Language` (RFC 9110, 12.5.4); English where it asks for none of ours. */
export function languageOf(c: Context): JoinLanguage {
  const wanted = accepts(c, {
    header: 'Accept-Language',
    supports: tags,
    default: 'en',
    match: (preferred) =>
      preferred
        .map(({ type }) => plainTag.exec(type)?.[0])
        .map((tag) => (tag === undefined ? undefined : findLanguage(tag, tags)))
        .find((tag) => tag !== undefined) ?? 'en',
  });
  return joinLanguages.find(({ tag }) => tag === wanted) ?? english;
}
