import { describe, expect, test } from 'vitest';

import type { Item } from '#core/seller/item';
import { readItemReply } from '#core/seller/replies';
import { itemWire, rawReply, type Wire, withField } from '#tests/core/seller/wire-examples';

function read(item: Wire): Item | string {
  const result = readItemReply(rawReply({ status: 'success', item }), 41, 0);
  if (!result.ok) return 'path' in result.fault ? result.fault.path : result.fault.kind;
  return result.value.kind === 'item' ? result.value.item : result.value.kind;
}

const without = (path: string): Item | string => read(withField(itemWire(), path, undefined));
const having = (path: string, value: unknown): Item | string =>
  read(withField(itemWire(), path, value));

test('every field of spec section 2, "Item"', () => {
  expect(read(itemWire())).toEqual({
    id: 41,
    name: 'Harbour theme',
    description: 'A theme.',
    category: 'Themes',
    subCategory: 'Blog',
    options: ['PHP 8', 'Documentation'],
    version: '2.4.1',
    demoLink: 'https://demo.test/harbour',
    tags: ['blog', 'clean'],
    media: {
      thumbnail: 'https://cdn.test/t.png',
      previewImage: 'https://cdn.test/p.png',
      previewVideo: 'https://cdn.test/p.mp4',
      previewAudio: 'https://cdn.test/p.mp3',
      screenshots: ['https://cdn.test/1.png', 'https://cdn.test/2.png'],
    },
    price: { regular: 29, extended: 149.5 },
    currency: 'USD',
    publishedAt: Date.UTC(2020, 1, 29),
  });
});

describe('presence', () => {
  test.each(['id', 'name'])('%s must be there', (path) => {
    expect(without(path)).toBe(`item.${path}`);
    expect(having(path, null)).toBe(`item.${path}`);
  });

  test('nothing else must be there', () => {
    expect(read({ id: 41, name: 'Harbour theme' })).toEqual({
      id: 41,
      name: 'Harbour theme',
      description: '',
      category: '',
      subCategory: '',
      version: '',
      currency: '',
      options: [],
      tags: [],
      media: { screenshots: [] },
      price: {},
    });
  });

  test.each([
    ['description', 'description'],
    ['category', 'category'],
    ['sub_category', 'subCategory'],
    ['version', 'version'],
  ])('%s that is absent is no text', (path, name) => {
    expect(without(path)).toHaveProperty(name, '');
    expect(having(path, null)).toHaveProperty(name, '');
  });

  test.each([
    ['media.thumbnail', 'thumbnail'],
    ['media.preview_image', 'previewImage'],
    ['media.preview_video', 'previewVideo'],
    ['media.preview_audio', 'previewAudio'],
  ])('%s that is absent is left out', (path, name) => {
    for (const item of [without(path), having(path, null)]) {
      expect((item as Item).media).not.toHaveProperty(name);
    }
  });

  test('screenshots that are absent are none', () => {
    expect(without('media.screenshots')).toHaveProperty('media.screenshots', []);
  });

  test.each([
    ['demo_link', 'demoLink'],
    ['published_at', 'publishedAt'],
  ])('%s that is absent is left out', (path, name) => {
    expect(without(path)).not.toHaveProperty(name);
    expect(having(path, null)).not.toHaveProperty(name);
  });

  test.each([
    ['media', []],
    ['media', null],
    ['media', undefined],
  ])('%s as %j holds nothing', (path, value) => {
    expect(having(path, value)).toHaveProperty('media', { screenshots: [] });
  });
});

describe('shapes', () => {
  test.each([
    ['name', 2048, 'name', '2048'],
    ['version', 3, 'version', '3'],
    ['price.regular', '29.00', 'price.regular', 29],
    ['options', null, 'options', []],
    ['options', { 0: 'a', 2: 'b' }, 'options', ['a', 'b']],
    ['tags', ['', 'a'], 'tags', ['a']],
    ['tags', [2024], 'tags', ['2024']],
    [
      'media.screenshots',
      ['https://cdn.test/1.png', 'javascript:alert(1)', null],
      'media.screenshots',
      ['https://cdn.test/1.png'],
    ],
  ])('%s as %j is read', (path, value, name, expected) => {
    expect(having(path, value)).toHaveProperty(name, expected);
  });

  test('an id in digits is that id', () => {
    expect(having('id', '41')).toHaveProperty('id', 41);
  });

  test.each([
    ['id', 41.5],
    ['id', -1],
    ['id', '41a'],
    ['id', '99999999999999999999'],
    ['name', {}],
    ['name', ['Harbour theme']],
  ])('%s as %j could mean too much to be read', (path, value) => {
    expect(having(path, value)).toEqual(expect.stringContaining(`item.${path}`));
  });

  test.each([
    ['description', {}],
    ['category', ['Themes']],
    ['sub_category', true],
    ['version', {}],
    ['options', 'PHP, HTML'],
    ['options', 7],
    ['tags', 'blog, clean'],
    ['tags', [{}]],
    ['tags', { first: 'a' }],
    ['media', 'x'],
    ['media', ['https://cdn.test/t.png']],
    ['media.thumbnail', 7],
    ['media.screenshots', 'https://cdn.test/1.png'],
    ['media.screenshots', [{}]],
    ['price', 29],
    ['price', '29.00'],
    ['price.regular', '29,00'],
    ['price.extended', { amount: 29 }],
    ['currency', {}],
    ['published_at', 'yesterday'],
    ['published_at', 1582934400],
    ['demo_link', {}],
  ])('%s as %j costs itself alone and is named', (path, value) => {
    expect(having(path, value)).toEqual({ ...(without(path) as Item), unreadable: [path] });
  });

  const empty = ['', null, [], {}] as const;
  test.each(
    ['options', 'tags', 'media', 'media.screenshots', 'price'].flatMap((path) =>
      empty.map((value) => [path, value] as const),
    ),
  )('%s as %j is empty, and read', (path, value) => {
    expect(having(path, value)).toEqual(without(path));
  });

  test('entries that can be read are, beside those that cannot', () => {
    expect(having('tags', ['a', {}, 'b'])).toMatchObject({
      tags: ['a', 'b'],
      unreadable: ['tags'],
    });
  });

  test.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', '/relative', '', null])(
    'a link %j is no link, and no fault',
    (value) => {
      expect(having('demo_link', value)).not.toHaveProperty('demoLink');
      expect(having('media.thumbnail', value)).not.toHaveProperty('media.thumbnail');
    },
  );
});
