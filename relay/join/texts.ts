import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { translatedLanguages } from '#core/text/index';
import en from '#locales/en/join.json' with { type: 'json' };

/** The texts of the join pages. `{name}` is replaced by a value. */
export type JoinTexts = Readonly<(typeof en)['joinPages']>;

export interface JoinLanguage {
  readonly tag: string;
  readonly texts: JoinTexts;
}

/** Every language, with English for missing texts. A build replaces this module by the texts: `scripts/build/relay.ts`. */
export const joinLanguages: readonly JoinLanguage[] = ['en', ...translatedLanguages].map((tag) => {
  const file = join(import.meta.dirname, `../../locales/${tag}/join.json`);
  const own = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<typeof en>)
    : en;
  return { tag, texts: { ...en.joinPages, ...own.joinPages } };
});
