import { parseArgs } from 'node:util';

import { translatedLanguages } from '#core/text/index';
import { Refusal, refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import {
  findUntranslated,
  readOrigins,
  readTexts,
  readTranslations,
  recordMade,
  unregisteredLanguages,
  writeOrigins,
} from '#scripts/translations/texts';

/**
 * Lists the texts that a language lacks, or has from other English than that of now, each with the English and its
 * translations. `-- --up-to-date fr [NAME…]` records that the French of these texts, or of all listed ones, says what
 * the English says; `--up-to-date all` that of all languages.
 */
await runCommand(() => {
  const { values, positionals } = parseArgs({
    options: { 'up-to-date': { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const english = readTexts('en');
  const translations = readTranslations();
  const origins = readOrigins();
  const named = values['up-to-date'];
  refuseUnknown(named, [...translatedLanguages, 'all']);
  const unknown = positionals.find((name) => !english.has(name));
  if (unknown !== undefined) throw new Refusal(`"${unknown}" is the name of no text.`);
  const made = named.includes('all') ? translatedLanguages : named;
  const names = positionals.length === 0 ? [...english.keys()] : positionals;
  const recorded = recordMade(english, origins, translations, names, made);
  if (made.length > 0) writeOrigins(recorded);
  const untranslated = findUntranslated(english, recorded, translations);
  for (const [name, languages] of untranslated) {
    console.log(`\n${name}\n  en     ${english.get(name) ?? ''}`);
    for (const tag of languages)
      console.log(`  ${tag.padEnd(6)} ${translations.get(tag)?.get(name) ?? '(none)'}`);
  }
  if (untranslated.size > 0) console.log();
  for (const tag of translatedLanguages) {
    const behind = [...untranslated].filter(([, tags]) => tags.includes(tag)).map(([name]) => name);
    const lacking = behind.filter((name) => translations.get(tag)?.has(name) !== true).length;
    const stale = behind.length - lacking;
    if (behind.length > 0)
      console.log(`${tag}: ${String(lacking)} missing, ${String(stale)} of other English`);
  }
  for (const tag of unregisteredLanguages()) {
    const there = [...readTexts(tag).keys()].filter((name) => english.has(name)).length;
    console.log(`${tag}, not shown: ${String(there)} of ${String(english.size)} texts are there`);
  }
  console.log(`${String(untranslated.size)} texts to be translated`);
  return Promise.resolve(0);
});
