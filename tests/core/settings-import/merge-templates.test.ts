import { expect, test } from 'vitest';

import { mergeTemplates } from '#core/settings-import/merge-templates';
import { readReplySettings, replyBounds } from '#core/reply-templates/index';

const template = (id: string, text = id, language = 'en') => ({
  id,
  situation: 'lapsed',
  language,
  name: `Name ${id}`,
  text,
});
const settings = (format: 'plain' | 'markdown', templates?: object[]) =>
  readReplySettings(templates === undefined ? { format } : { format, templates });

test('templates of the same id are replaced, new ones added, and the agent’s others stay', () => {
  const present = settings('plain', [template('a'), template('b')]);
  const file = settings('markdown', [template('b', 'theirs'), template('c')]);
  const merged = mergeTemplates(present, file);
  expect(merged.settings.templates?.map(({ id, text }) => [id, text])).toEqual([
    ['a', 'a'],
    ['b', 'theirs'],
    ['c', 'c'],
  ]);
  expect(merged).toMatchObject({ added: ['Name c'], changed: ['Name b'], otherFormat: true });
});

test('a built-in template that the agent has changed in two languages stays one in each', () => {
  const [en, de] = [template('lapsed-renew', 'Renew'), template('lapsed-renew', 'Neu', 'de')];
  const present = settings('plain', [en, de]);
  expect(mergeTemplates(present, present)).toMatchObject({
    settings: present,
    added: [],
    changed: [],
  });
  const german = mergeTemplates(settings('plain', [en]), settings('plain', [de]));
  expect(german.settings.templates).toEqual([en, de]);
  const changed = template('lapsed-renew', 'Erneuern', 'de');
  expect(mergeTemplates(present, settings('plain', [changed])).settings.templates).toEqual([
    en,
    changed,
  ]);
});

test('of two templates that are the same in a file the later counts', () => {
  const file = settings('plain', [template('a', 'first'), template('b'), template('a', 'later')]);
  const merged = mergeTemplates(settings('plain'), file);
  expect(merged.settings.templates?.map(({ text }) => text)).toEqual(['b', 'later']);
  expect(merged.added).toEqual(['Name b', 'Name a']);
});

test('a file without templates of its own changes none', () => {
  const present = settings('plain', [template('a')]);
  expect(mergeTemplates(present, settings('plain'))).toMatchObject({
    settings: present,
    added: [],
    changed: [],
    otherFormat: false,
    otherFrame: false,
  });
});

test('more templates than there may be are not merged', () => {
  const many = Array.from({ length: replyBounds.templates }, (_, at) => template(String(at)));
  const present = settings('plain', [template('own')]);
  const merged = mergeTemplates(present, settings('plain', many));
  expect(merged).toMatchObject({ tooMany: true, settings: present, added: [] });
});

test('as many templates as there may be are merged', () => {
  const many = Array.from({ length: replyBounds.templates }, (_, at) => template(String(at)));
  const merged = mergeTemplates(settings('plain'), settings('plain', many));
  expect(merged.tooMany).toBe(false);
  expect(merged.settings.templates).toHaveLength(replyBounds.templates);
});

test('where neither has templates of its own, the built-in ones stay', () => {
  expect(mergeTemplates(settings('plain'), settings('plain')).settings).toEqual({
    format: 'plain',
  });
});

test('a greeting of the file replaces that of its language alone', () => {
  const frame = (greeting: string) => ({ greeting, closing: 'Bye' });
  const present = { format: 'plain', frames: { en: frame('Hi'), de: frame('Hallo') } } as const;
  const merged = mergeTemplates(present, { format: 'plain', frames: { en: frame('Hello') } });
  expect(merged.otherFrame).toBe(true);
  expect(merged.settings.frames).toEqual({ en: frame('Hello'), de: frame('Hallo') });
});
