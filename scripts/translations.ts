import { parseArgs } from 'node:util';

import { translatedLanguages } from '#core/text/index';
import { Refusal, refuseUnknown, runCommand } from '#scripts/command-line/refusal';
import {
  findDrift,
  readOrigins,
  readTexts,
  recordMade,
  unfinishedLanguages,
  writeOrigins,
} from '#scripts/translations/texts';

/**
 * Lists the texts whose English has changed since they were translated, each with the English and its translations. `--
 * --up-to-date fr [NAME…]` records that the French of these texts, or of all listed ones, says what the English says;
 * `--up-to-date all` that of all languages.
 */
await runCommand(() => {
  const { values, positionals } = parseArgs({
    options: { 'up-to-date': { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const english = readTexts('en');
  const origins = readOrigins();
  const named = values['up-to-date'];
  refuseUnknown(named, [...translatedLanguages, 'all']);
  const unknown = positionals.find((name) => !english.has(name));
  if (unknown !== undefined) throw new Refusal(`"${unknown}" is the name of no text.`);
  const made = named.includes('all') ? translatedLanguages : named;
  const names = positionals.length === 0 ? [...english.keys()] : positionals;
  const recorded = made.length === 0 ? origins : recordMade(english, origins, names, made);
  if (made.length > 0) writeOrigins(recorded);
  const drift = findDrift(english, recorded);
  const translations = new Map<string, ReturnType<typeof readTexts>>(
    translatedLanguages.map((tag) => [tag, readTexts(tag)]),
  );
  for (const [name, languages] of drift) {
    console.log(`\n${name}\n  en     ${english.get(name) ?? ''}`);
    for (const tag of languages)
      console.log(`  ${tag.padEnd(6)} ${translations.get(tag)?.get(name) ?? '(none)'}`);
  }
  for (const tag of unfinishedLanguages) {
    const there = [...readTexts(tag).keys()].filter((name) => english.has(name)).length;
    console.log(`${tag}: ${String(there)} of ${String(english.size)} texts are translated`);
  }
  console.log(`${drift.size === 0 ? '' : '\n'}${String(drift.size)} texts to be looked at`);
  return Promise.resolve(drift.size === 0 ? 0 : 1);
});
