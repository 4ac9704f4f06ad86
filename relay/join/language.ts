import { parseAccept } from 'hono/utils/accept';

import { findLanguage, type translatedLanguages } from '#core/text/index';
import ar from '#locales/join/ar.json' with { type: 'json' };
import de from '#locales/join/de.json' with { type: 'json' };
import en from '#locales/join/en.json' with { type: 'json' };
import es from '#locales/join/es.json' with { type: 'json' };
import fr from '#locales/join/fr.json' with { type: 'json' };
import hi from '#locales/join/hi.json' with { type: 'json' };
import id from '#locales/join/id.json' with { type: 'json' };
import ja from '#locales/join/ja.json' with { type: 'json' };
import ptBr from '#locales/join/pt-BR.json' with { type: 'json' };
import tr from '#locales/join/tr.json' with { type: 'json' };
import vi from '#locales/join/vi.json' with { type: 'json' };
import zhCn from '#locales/join/zh-CN.json' with { type: 'json' };

/** The texts of the join pages. `{name}` stands for a value. */
export type JoinTexts = Readonly<(typeof en)['joinPages']>;

export interface JoinLanguage {
  readonly tag: string;
  readonly texts: JoinTexts;
}

type Files = Readonly<Record<'en' | (typeof translatedLanguages)[number], typeof en>>;
const files: Files = { en, ar, de, es, fr, hi, id, ja, 'pt-BR': ptBr, tr, vi, 'zh-CN': zhCn };

export const joinLanguages: readonly JoinLanguage[] = Object.entries(files).map(
  ([tag, { joinPages }]) => ({ tag, texts: joinPages }),
);

const english: JoinLanguage = { tag: 'en', texts: en.joinPages };
/** Language, script and region (RFC 5646, 2.1); what may follow says nothing here. */
const plainTag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?=-|$)/i;
/** A browser names a handful. Each that is looked up takes some microseconds, and anybody may send thousands. */
const most = { characters: 512, languages: 16 };

/** Returns the language that a browser asks for, `Accept-Language` (RFC 9110, 12.5.4); English where it asks for none of ours. */
export function findJoinLanguage(accepted: string): JoinLanguage {
  const wanted = parseAccept(accepted.slice(0, most.characters)).slice(0, most.languages);
  for (const { type } of wanted) {
    const tag = plainTag.exec(type)?.[0];
    const found = tag === undefined ? undefined : findLanguage(tag, Object.keys(files));
    if (found !== undefined) return joinLanguages.find((one) => one.tag === found) ?? english;
  }
  return english;
}
