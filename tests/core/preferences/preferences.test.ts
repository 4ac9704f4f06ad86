import { globSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  defaultPreferences,
  mayBePreference,
  readPreferences,
  themes,
} from '#core/preferences/preferences';
import { defaultHistorySettings } from '#core/preferences/history-settings';
import english from '#locales/en/options.json' with { type: 'json' };

test('whatever was kept, preferences come out of it', () => {
  fc.assert(
    fc.property(fc.anything(), (cached) => {
      const { theme, pictures, maskCodes, connection } = readPreferences(cached);
      expect(themes).toContain(theme);
      expect([typeof pictures, typeof maskCodes, typeof connection]).toEqual([
        'boolean',
        'boolean',
        'string',
      ]);
    }),
  );
});

test('what was chosen is kept', () => {
  const chosen = { theme: 'dark', pictures: false, maskCodes: false, connection: 'all' } as const;
  expect(readPreferences(chosen)).toMatchObject(chosen);
});

test('untouched, pictures are shown and codes are masked', () => {
  expect(readPreferences(undefined)).toMatchObject({ pictures: true, maskCodes: true });
});

test.each(Object.keys(defaultPreferences))('%s is read, and judged by its type', (name) => {
  const value: unknown = Reflect.get(defaultPreferences, name);
  const readOf = (stored: unknown): unknown =>
    Reflect.get(readPreferences({ [name]: stored }), name);
  const other = name === 'theme' ? 'dark' : typeof value === 'boolean' ? !value : 'chosen';
  expect(readOf(other)).toBe(other);
  expect(readOf([other])).toBe(value);
  expect(mayBePreference(name, other)).toBe(true);
  expect(mayBePreference(name, [other])).toBe(false);
});

const switches = Object.entries(defaultPreferences).flatMap(([name, value]) =>
  typeof value === 'boolean' ? [name] : [],
);

test('each switch has its words, as has each setting of the history in the preview of an import', () => {
  const { setting, settingWhy } = english.options;
  expect(new Set(Object.keys(settingWhy))).toEqual(new Set(switches));
  expect(new Set(Object.keys(setting))).toEqual(
    new Set([...switches, ...Object.keys(defaultHistorySettings)]),
  );
});

test('each switch stands once in the settings', () => {
  const places = globSync('components/**/*.vue').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/<PreferenceToggle name="(\w+)"/g)].map(
      ([, name]) => name,
    ),
  );
  expect(places.toSorted()).toEqual(switches.toSorted());
});

test.each(switches)('the switch %s has an effect', (name) => {
  const readers = globSync('{background,components,entrypoints,pwa,stores}/**/*.{ts,vue}').filter(
    (path) => new RegExp(`(?:current|preferences)\\.${name}\\b`).test(readFileSync(path, 'utf8')),
  );
  expect(readers).not.toEqual([]);
});

test('a preference that this version does not know may be anything', () => {
  expect(mayBePreference('later', [1])).toBe(true);
});
