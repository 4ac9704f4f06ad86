import { afterEach, expect, test } from 'vitest';

import { createCatalogue } from '#components/i18n';
import german from '#locales/de/items.json';
import items from '#locales/en/items.json';
import { loadTranslation, matchingLanguage, wantedLocales } from '#components/translations';

const files = {
  '../locales/de/base.json': () => Promise.resolve({ app: { settings: 'Einstellungen' } }),
  '../locales/de/items.json': () => Promise.resolve({ itemPicker: { list: 'Artikel' } }),
  '../locales/ar/base.json': () => Promise.resolve({}),
};

afterEach(() => {
  document.documentElement.lang = 'en';
  document.documentElement.removeAttribute('dir');
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['la', undefined],
  ['zh-TW', undefined],
  ['zh-Hant', undefined],
])('the locale %s is shown in %s', (locale, language) => {
  expect(matchingLanguage(locale)).toBe(language);
});

test.each([
  [null, ['de-AT', 'en-GB'], ['de-AT', 'en-GB']],
  ['', ['de-AT'], ['de-AT']],
  ['de', ['en-US', 'de-AT'], ['de-AT', 'de']],
  ['en', ['de-DE', 'en-GB'], ['en-GB', 'en']],
  ['de', ['en-US'], ['de']],
])('a chosen language %j, in a browser of %j, is written as in %j', (chosen, browsers, wanted) => {
  expect(wantedLocales(chosen, browsers)).toEqual(wanted);
});

test('the texts of the first language that has some are loaded, of the named files alone', async () => {
  const loaded = await loadTranslation(files, ['base', 'items'], ['la-VA', 'de-AT', 'en-US']);
  expect(loaded).toEqual({
    locale: 'de-AT',
    messages: { app: { settings: 'Einstellungen' }, itemPicker: { list: 'Artikel' } },
  });
  expect(document.documentElement.lang).toBe('de-AT');
  expect(document.documentElement.dir).toBe('ltr');
});

test('English needs no texts, and another language none that are not there', async () => {
  expect(await loadTranslation(files, ['base'], ['la', 'en-GB', 'de'])).toEqual({
    locale: 'en-GB',
  });
  expect(await loadTranslation(files, ['base'], ['la'])).toEqual({ locale: 'en' });
});

test('what a translation lacks is shown in English', () => {
  const translated = { items: german.itemPicker };
  const catalogue = createCatalogue('de-AT', items, translated);
  expect(catalogue.t('items.any')).toBe('Beliebiger Artikel');
  expect(catalogue.t('itemPicker.any')).toBe('Any item');
  expect(catalogue.has('itemPicker.any')).toBe(true);
});

test('a plural that a translation lacks has the English forms, whatever forms the language has', () => {
  const catalogue = createCatalogue('ar', { found: '{count} code|{count} codes' }, {});
  const said = [0, 1, 2, 5].map((count) => catalogue.t('found', count));
  expect(said).toEqual(['0 codes', '1 code', '2 codes', '5 codes']);
});
