import 'fake-indexeddb/auto';

import { describe, expect, it, test } from 'vitest';

import { createConnectionStore } from '#adapters/storage/worker/connection-store';
import { createPreferenceSetting, changePreferences } from '#adapters/storage/preference-setting';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { OutdatedBuild, writableWhile } from '#adapters/storage/storage-area';
import { createTables } from '#adapters/storage/tables';
import { fail } from '#core/result';
import { createMemoryArea } from '#tests/adapters/memory-area';

const thanks = {
  id: 't1',
  situation: 'supported',
  language: 'en',
  name: 'Thanks',
  text: 'Hello',
  whole: true,
} as const;
const unreadable = { theme: 'dark', pictures: 'no' };

async function stored(values: Record<string, unknown>) {
  const area = createMemoryArea();
  await area.set(values);
  return {
    area,
    preferences: createPreferenceSetting(area),
    replies: createReplyTemplateStore(area),
  };
}

describe('a setting that cannot be read', () => {
  it('stays where it is, and what of it can be read is in use', async () => {
    const { area, preferences } = await stored({ preferences: unreadable });
    expect(await preferences.read()).toEqual({ theme: 'dark' });
    expect(await area.get(null)).toEqual({ preferences: unreadable });
    expect((await preferences.unused()).unreadable).toEqual([
      { path: 'pictures', value: unreadable },
    ]);
  });

  it.each([7, null, [], 'text', { version: -1 }])(
    'may be unreadable as a whole (%j)',
    async (value) => {
      const { area, preferences } = await stored({ preferences: value });
      expect(await preferences.read()).toEqual({});
      expect((await preferences.unused()).unreadable).toMatchObject([{ value }]);
      await preferences.write({});
      expect(await area.get(null)).toMatchObject({ 'preferences-unreadable': [{ value }] });
    },
  );

  it('costs no template that can be read', async () => {
    const value = { format: 'markdown', templates: [thanks, { ...thanks, situation: 'maybe' }] };
    const { replies } = await stored({ 'reply-templates': value });
    expect(await replies.read()).toEqual({ format: 'markdown', templates: [thanks] });
    expect((await replies.unused()).unreadable).toMatchObject([
      { path: 'templates.1.situation', value },
    ]);
  });

  it('costs no member that can be read: templates, language, greeting and closing', async () => {
    const frames = { en: { greeting: 'Hi,', closing: 'Ada' } };
    const readable = { language: 'en', frames, templates: [thanks] };
    const value = { ...readable, version: 1, format: 'html' };
    const { replies } = await stored({ 'reply-templates': value });
    expect(await replies.read()).toEqual({ format: 'plain', ...readable });
  });

  it('costs no template that a newer version wrote in a form that can be read', async () => {
    const newer = { version: 99, format: 'markdown', templates: [thanks, { ...thanks, id: 7 }] };
    const { replies } = await stored({ 'reply-templates': newer });
    expect(await replies.read()).toEqual({ format: 'markdown', templates: [thanks] });
  });

  it('is kept beside what is written', async () => {
    const { area, preferences } = await stored({ preferences: unreadable });
    await preferences.write({ theme: 'light' });
    expect(await area.get(null)).toMatchObject({
      preferences: { theme: 'light' },
      'preferences-unreadable': [{ value: unreadable }],
    });
  });

  it('is kept beside what a change makes of what can be read', async () => {
    const { area, preferences } = await stored({ preferences: unreadable });
    await preferences.change((present) => ({ ...present, shortcuts: false }));
    expect(await area.get(null)).toMatchObject({
      preferences: { theme: 'dark', shortcuts: false },
      'preferences-unreadable': [{ value: unreadable }],
    });
  });

  it('stays where it is when there is no room to keep it', async () => {
    const { area, preferences } = await stored({ preferences: unreadable });
    area.limitTo(area.dump().length);
    expect(await preferences.read()).toEqual({ theme: 'dark' });
    await expect(preferences.write({})).rejects.toThrow('no room');
    expect(await area.get(null)).toEqual({ preferences: unreadable });
  });

  it('is kept beside each that took its place, until it is removed', async () => {
    const { area, preferences } = await stored({ preferences: unreadable });
    await preferences.write({ theme: 'light' });
    await area.set({ preferences: 7 });
    await preferences.write({ theme: 'light' });
    expect((await preferences.unused()).unreadable).toMatchObject([
      { path: 'pictures', value: unreadable },
      { path: '$', value: 7 },
    ]);
    await preferences.removeUnreadable((value) => value === 7);
    expect((await preferences.unused()).unreadable).toHaveLength(1);
    await preferences.removeUnreadable(() => true);
    expect(await area.get(null)).toEqual({ preferences: { theme: 'light', version: 1 } });
  });
});

describe('a setting of a newer version', () => {
  const newer = { version: 99, theme: 'dark', pictures: { from: 'cache' } };

  it('is read as far as it can be, and never overwritten', async () => {
    const { area, preferences } = await stored({ preferences: newer });
    expect(await preferences.unused()).toEqual({ unreadable: [], newer: true });
    expect(await preferences.read()).toEqual({ theme: 'dark' });
    const refused = { ok: false, fault: { kind: 'newer-version' } };
    expect(await preferences.write({})).toEqual(refused);
    expect(await preferences.change(() => ({}))).toEqual(refused);
    await preferences.removeUnreadable(() => true);
    expect(await area.get(null)).toEqual({ preferences: newer });
  });
});

it('keeps each of the changes that are made at the same moment', async () => {
  const { preferences } = await stored({ preferences: { theme: 'dark', version: 1 } });
  const changes = [{ language: 'de' }, { shortcuts: false }];
  await Promise.all(
    changes.map((one) => preferences.change((present) => ({ ...present, ...one }))),
  );
  expect(await preferences.read()).toEqual({ theme: 'dark', language: 'de', shortcuts: false });
});

it('is absent until it is written', async () => {
  const { area, preferences, replies } = await stored({});
  expect([await preferences.read(), await replies.read()]).toEqual([undefined, undefined]);
  expect(await replies.unused()).toEqual({ unreadable: [], newer: false });
  await replies.write({ format: 'plain', templates: [thanks] });
  expect(await area.get(null)).toEqual({
    'reply-templates': { format: 'plain', templates: [thanks], version: 1 },
  });
});

test('an area that may not be written is left as it is, and still read', async () => {
  const area = createMemoryArea();
  await area.set({ theme: 'dark' });
  let newest = true;
  const guarded = writableWhile(area, () => newest);
  await guarded.set({ theme: 'light' });
  newest = false;
  await expect(guarded.set({ theme: 'system' })).rejects.toThrow(OutdatedBuild);
  await expect(guarded.remove('theme')).rejects.toThrow(OutdatedBuild);
  expect(await guarded.get('theme')).toEqual({ theme: 'light' });
});

test('no table is written that may not be', async () => {
  const name = crypto.randomUUID();
  await createConnectionStore(createTables(name)).change(() => []);
  const outdated = createConnectionStore(createTables(name, () => false));
  expect(await outdated.read()).toEqual([]);
  await expect(outdated.change(() => [])).rejects.toThrow(OutdatedBuild);
});

test('two pages that change a preference each keep both, and a change may remove one', async () => {
  const { area, preferences } = await stored({
    preferences: { theme: 'dark', connection: 'all', later: 1 },
  });
  await Promise.all([
    changePreferences(area, { theme: 'light' }),
    changePreferences(area, { pictures: false, connection: undefined }),
  ]);
  expect(await preferences.read()).toEqual({ theme: 'light', pictures: false, later: 1 });
});

test('a change of preferences that the full disk does not take is no error', async () => {
  const area = { ...createMemoryArea(), set: () => Promise.reject(new Error('Full.')) };
  expect(await changePreferences(area, { theme: 'light' })).toEqual(fail({ kind: 'storage-full' }));
});
