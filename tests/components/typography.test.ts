import { describe, expect, test } from 'vitest';

import { translatedLanguages } from '#core/text/index';
import { readTexts } from '#scripts/translations/texts';

interface Rule {
  readonly name: string;
  /** Finds what breaks the rule. */
  readonly wrong: RegExp;
}

const han = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー。、「」“”）】]`;

/** A mark beside such a character is as wide as it. */
const fullWidth: Rule = {
  name: 'a half-width mark beside a full-width character',
  wrong: new RegExp(`${han}[?!:;,()]|[?!:;,()]${han}`, 'u'),
};

/** Marks that a language does not use, by the quotation marks that it does. */
function quotation(own: string): Rule {
  const others = '„“”«»「」‹›‚‘"'.replaceAll(new RegExp(`[${own}]`, 'gu'), '');
  return { name: `another quotation mark than ${own}`, wrong: new RegExp(`[${others}]`, 'u') };
}

const everywhere: readonly Rule[] = [
  { name: 'a typewriter apostrophe', wrong: /'/ },
  { name: 'three dots for an ellipsis', wrong: /\.\.\./ },
  { name: 'two spaces', wrong: / {2}/ },
  { name: 'a space at an end', wrong: /^[ \u00A0\u202F]|[ \u00A0\u202F]$/ },
  { name: 'a hyphen for a dash', wrong: / - / },
];

/** What the typography of a language asks beyond that; of one that is not named here, the English quotation marks. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  ar: [quotation('«»'), { name: 'a mark of another script', wrong: /\p{Script=Arabic}[?,;]/u }],
  de: [quotation('„“')],
  es: [
    quotation('«»'),
    { name: 'no ¿ before a question', wrong: /^[^¿]*\?/ },
    { name: 'no ¡ before an exclamation', wrong: /^[^¡]*!/ },
  ],
  fr: [
    quotation('«»'),
    { name: 'no U+202F before ; ! ?', wrong: /[^\u202F][;!?](?=\s|$|[)»…])/u },
    { name: 'no U+00A0 before a colon', wrong: /[^\u00A0\d]:(?!\/\/|\d)/u },
    { name: 'no U+00A0 inside « »', wrong: /«[^\u00A0]|[^\u00A0]»/u },
  ],
  hi: [
    quotation('“”'),
    { name: 'a full stop of another script', wrong: /\p{Script=Devanagari}\./u },
  ],
  ja: [quotation('「」'), fullWidth],
  'zh-CN': [quotation('“”'), fullWidth],
};

/** Texts that are right as they are, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'options.address.scheme': 'It begins with a scheme, which has its colon.',
};

/** Names the texts of a language that its typography does not allow. */
function problemsOf(texts: ReadonlyMap<string, string>, language: string): readonly string[] {
  return [...texts].flatMap(([name, text]) =>
    // Lines of a list in a reply begin with a hyphen.
    [...everywhere, ...(rules[language] ?? [quotation('“”')])]
      .filter(({ wrong }) => text.split('\n').some((line) => wrong.test(line)))
      .filter(() => !Object.hasOwn(exceptions, name))
      .map((rule) => `${name}: ${rule.name}: ${text}`),
  );
}

test.each(['en', ...translatedLanguages])('the texts in %s keep its typography', (language) => {
  expect(problemsOf(readTexts(language), language)).toEqual([]);
});

describe('the check names', () => {
  test.each([
    ['fr', 'Prêt ?'],
    ['fr', 'Prêt\u00A0?'],
    ['fr', 'Réponse: oui'],
    ['fr', '«\u00A0oui »'],
    ['ja', '回答:はい'],
    ['ja', '本当ですか?'],
    ['zh-CN', '好,谢谢'],
    ['zh-CN', '「好」'],
    ['es', 'Es válida?'],
    ['de', '“ja”'],
    ['ar', 'نعم?'],
    ['hi', 'हाँ.'],
    ['en', "It isn't"],
    ['tr', 'Bekleyin...'],
  ])('what is wrong in %s: %s', (language, text) => {
    expect(problemsOf(new Map([['any', text]]), language)).not.toEqual([]);
  });
});

/** Letters that a label may have in English to count as short: it stands where there is little room. */
const shortLabel = 12;

test.each(translatedLanguages)('a short label in %s is at most twice as long', (language) => {
  const translated = readTexts(language);
  const long = [...readTexts('en')]
    .filter(([, text]) => text.length <= shortLabel && !text.includes('{'))
    .map(([name]) => [name, translated.get(name) ?? ''] as const)
    .filter(([, text]) => text.length > 2 * shortLabel);
  expect(long).toEqual([]);
});
