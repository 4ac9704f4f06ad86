import { expect, test } from 'vitest';

import { directionOf, findLanguage, translatedLanguages } from '#core/text/language';

test.each([
  ['ar', 'rtl'],
  ['AR-eg', 'rtl'],
  ['ckb', 'rtl'],
  ['he', 'rtl'],
  ['ur-PK', 'rtl'],
  ['en', 'ltr'],
  ['de-AR', 'ltr'],
  ['', 'ltr'],
])('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction);
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-TW', undefined],
  ['zh-Hant', undefined],
  ['la', undefined],
])('of the languages with texts, %s is served %s', (locale, language) => {
  expect(findLanguage(locale, translatedLanguages)).toBe(language);
});

test('the region counts before the language alone', () => {
  expect(findLanguage('pt-BR', ['pt-PT', 'pt-BR'])).toBe('pt-BR');
  expect(findLanguage('pt-AO', ['pt-PT', 'pt-BR'])).toBe('pt-PT');
});

test('what is no tag of a language throws', () => {
  expect(() => findLanguage('not a tag', translatedLanguages)).toThrow(RangeError);
});
