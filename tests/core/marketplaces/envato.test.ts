import { describe, expect, test } from 'vitest';

import { envato } from '#core/marketplaces/envato/reader';
import { fail, succeed } from '#core/result';
import { answering, answeringPaths, nothingMore } from '#tests/core/marketplaces/market-answers';
import { rawReply, rawText, type Wire } from '#tests/core/marketplaces/wire-examples';

const code = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';

function item(wire: Wire, id = 5) {
  return envato.item(id).read(rawReply({ id: 5, name: 'Lantern', ...wire }), 0);
}

function itemWith(wire: Wire) {
  const reply = item(wire);
  if (!reply.ok) return reply.fault;
  return reply.value.kind === 'item' ? reply.value.item : reply.value;
}

describe('an item', () => {
  test('has nothing but id and name where the catalogue says no more', () => {
    expect(itemWith({})).toStrictEqual({ id: 5, name: 'Lantern', ...nothingMore });
  });

  test('has its price in dollars, its category and its version', () => {
    expect(
      itemWith({
        summary: 'A theme.',
        description: '<p>A long text.</p>',
        classification: 'wordpress/blog-magazine',
        price_cents: 5900,
        tags: ['blog', 'clean'],
        published_at: '2026-01-05T10:00:00Z',
        wordpress_theme_metadata: { version: '3.1.0' },
      }),
    ).toStrictEqual({
      ...nothingMore,
      id: 5,
      name: 'Lantern',
      description: 'A theme.',
      category: 'wordpress',
      subCategory: 'blog-magazine',
      version: '3.1.0',
      tags: ['blog', 'clean'],
      price: { regular: 59 },
      currency: 'USD',
      publishedAt: Date.UTC(2026, 0, 5, 10),
    });
  });

  test('is described by its long text where there is no summary', () => {
    expect(itemWith({ summary: null, description: 'Long.' })).toHaveProperty(
      'description',
      'Long.',
    );
  });

  test('of a plugin has the version of the plugin', () => {
    expect(
      itemWith({
        wordpress_theme_metadata: null,
        wordpress_plugin_metadata: { version: '1.2' },
      }),
    ).toHaveProperty('version', '1.2');
  });

  test.each([
    ['live_site', 'href', 'demoLink'],
    ['live_site', 'url', 'demoLink'],
    ['thumbnail_preview', 'thumbnail_url', 'media.thumbnail'],
    ['icon_preview', 'icon_url', 'media.thumbnail'],
    ['thumbnail_preview', 'small_url', 'media.thumbnail'],
    ['landscape_preview', 'landscape_url', 'media.previewImage'],
    ['square_preview', 'square_url', 'media.previewImage'],
    ['thumbnail_preview', 'large_url', 'media.previewImage'],
    ['icon_with_video_preview', 'video_url', 'media.previewVideo'],
    ['icon_with_audio_preview', 'mp3_url', 'media.previewAudio'],
  ])('the preview %s with %s is its %s', (shape, name, path) => {
    const url = 'https://img.example/a';
    expect(itemWith({ previews: { other: null, [shape]: { [name]: url } } })).toHaveProperty(
      path,
      url,
    );
  });

  test.each([
    [
      'the attribute of that name',
      {
        attributes: [
          { name: 'columns', value: '4+' },
          { name: 'demo-url', value: 'https://lantern.example/demo' },
        ],
        previews: { live_site: { href: '/item/lantern/full_screen_preview/5' } },
      },
      'https://lantern.example/demo',
    ],
    [
      'a path on the site of the item',
      {
        attributes: [{ name: 'demo-url', value: ['https://lantern.example/demo'] }],
        url: 'https://market.example/item/lantern/5',
        previews: { live_site: { href: '/item/lantern/full_screen_preview/5' } },
      },
      'https://market.example/item/lantern/full_screen_preview/5',
    ],
    ['no path without a site', { previews: { live_site: { href: '/demo' } } }, undefined],
    ['no script', { previews: { live_site: { href: 'javascript:alert(1)' } } }, undefined],
    ['nothing of an odd shape', { attributes: {}, previews: { live_site: [] } }, undefined],
  ])('its demo link is %s', (_, wire, demoLink) => {
    expect((itemWith(wire) as { demoLink?: string }).demoLink).toBe(demoLink);
  });

  test('takes the larger shape of a picture, wherever it stands among the previews', () => {
    const small = { square_url: 'https://img.example/square' };
    const large = { landscape_url: 'https://img.example/landscape' };
    expect(itemWith({ previews: { small, large } })).toHaveProperty(
      'media.previewImage',
      large.landscape_url,
    );
  });

  test('is not shown where another was asked for', () => {
    expect(item({}, 6)).toEqual(fail({ kind: 'mismatch' }));
  });

  test.each([
    [{ name: null }, '$.name'],
    [{ id: 'five' }, '$.id'],
  ])('with %j cannot be read', (wire, path) => {
    expect(itemWith(wire)).toEqual({ kind: 'unreadable', path });
  });
});

describe('a sale', () => {
  const wire = {
    sold_at: '2026-01-05T10:00:00+11:00',
    license: 'Extended License',
    supported_until: null,
    item: { id: 5, name: 'Lantern' },
  };
  function sale(more: Wire) {
    const reply = envato.purchase(code, {}).read(rawReply({ ...wire, ...more }), 0);
    if (!reply.ok) return reply.fault;
    return reply.value.kind === 'purchase' ? reply.value.purchase : reply.value;
  }

  test('without support and of a guest tells neither', () => {
    expect(sale({ amount: '40.00', buyer: null })).toStrictEqual({
      purchaseCode: code,
      licenseType: 'Extended',
      currency: '',
      item: { id: 5, name: 'Lantern', ...nothingMore },
      date: Date.UTC(2026, 0, 4, 23),
    });
  });

  test.each([
    [404, { error: 404, description: 'No sale' }, 'No sale'],
    [200, { error: 404, description: 'No sale' }, 'No sale'],
    // A code of another form.
    [422, { error: 422, description: 'Unprocessable Entity' }, 'Unprocessable Entity'],
  ])('of a code that %i answers with %j is not found', (status, body, msg) => {
    expect(envato.purchase(code, {}).read(rawReply(body, status), 0)).toEqual(
      succeed({ kind: 'not-found', msg }),
    );
  });

  test('that does not tell when it was sold or under which license is one all the same', () => {
    const untold = sale({ sold_at: null, license: null });
    expect(untold).toHaveProperty('licenseType', '');
    expect(untold).not.toHaveProperty('date');
    expect(sale({ sold_at: 'long ago' })).toHaveProperty('unreadable', ['sold_at']);
  });

  test('names its buyer, of whom no address is told', () => {
    expect(sale({ buyer: 'harbourmaster' })).toHaveProperty('buyer', { name: 'harbourmaster' });
  });

  test.each([
    ['Regular License', 'Regular'],
    ['Regular License (2012)', 'Regular License (2012)'],
    ['Regular', 'Regular'],
    [undefined, ''],
  ])('with the license %j is %j', (license, licenseType) => {
    expect(sale({ license })).toHaveProperty('licenseType', licenseType);
  });

  test.each([
    [{ supported_until: 'always' }, '$.supported_until'],
    [{ item: null }, '$.item'],
    [{ item: { id: 5 } }, '$.item.name'],
  ])('with %j is no verdict', (more, path) => {
    expect(sale(more)).toEqual({ kind: 'unreadable', path });
  });
});

const own = '/v1/market/private/user';
const username = { [`${own}/username.json`]: rawReply({ username: 'fenwick' }) };
const noSale = rawReply({ error: 404, description: 'No sale' }, 404);
const sales = { '/v3/market/author/sale': noSale };

describe('the account', () => {
  test('is put together from what the token may see', async () => {
    const { ask } = answeringPaths({
      ...username,
      ...sales,
      [`${own}/account.json`]: rawReply({
        account: {
          firstname: 'Ada',
          surname: 'Fenwick',
          image: 'https://img.example/ada.png',
          balance: '310.40',
          available_earnings: '1.00',
        },
      }),
      [`${own}/email.json`]: rawReply({ email: 'ada@fenwick.example' }),
    });
    expect(await envato.account(ask)).toStrictEqual(
      succeed({
        username: 'fenwick',
        email: 'ada@fenwick.example',
        name: { first: 'Ada', last: 'Fenwick', full: 'Ada Fenwick' },
        balance: 310.4,
        currency: 'USD',
        profile: {
          heading: '',
          description: '',
          socialLinks: [],
          avatar: 'https://img.example/ada.png',
        },
      }),
    );
  });

  test('has no part that the token may not see', async () => {
    const { ask } = answeringPaths({
      ...username,
      ...sales,
      [`${own}/account.json`]: rawReply({}, 403),
      [`${own}/email.json`]: rawReply({}, 403),
    });
    expect(await envato.account(ask)).toMatchObject({
      value: { username: 'fenwick', email: '', name: { first: '', last: '', full: '' } },
    });
  });

  test.each([
    [
      rawReply({ scopes: ['default'] }),
      "View your Envato Account username, View the user's items' sales history",
    ],
    [rawReply({ message: 'Unauthorized' }, 403), undefined],
  ])(
    'of a token that may do nothing tells whether the token is good',
    async (whoami, permission) => {
      const refused = rawReply({ error: 'forbidden' }, 403);
      const { ask } = answeringPaths({
        [`${own}/username.json`]: refused,
        '/v3/market/author/sale': refused,
        '/whoami': whoami,
      });
      const account = await envato.account(ask);
      expect(account).toMatchObject({ fault: { kind: 'refused', about: 'key' } });
      expect((account as { fault: { permission?: string } }).fault.permission).toBe(permission);
    },
  );

  test('of one name has no blank at its end', async () => {
    const { ask } = answeringPaths({
      ...username,
      ...sales,
      [`${own}/account.json`]: rawReply({ account: { firstname: 'Ada' } }),
    });
    expect(await envato.account(ask)).toHaveProperty('value.name.full', 'Ada');
  });

  test.each([
    ['server-error', rawText('', 500), { kind: 'server-error', status: 500 }],
    [
      'refused request',
      rawReply({ error: 'Odd.' }, 422),
      { kind: 'refused', msg: 'Odd.', about: 'request' },
    ],
    ['name', rawReply({}), { kind: 'unreadable', path: 'username' }],
  ])('a fault of another kind (%s) lacks no permission', async (_, raw, fault) => {
    const { ask } = answeringPaths({ ...sales, [`${own}/username.json`]: raw });
    expect(await envato.account(ask)).toStrictEqual(fail(fault));
  });
});

describe('the items', () => {
  /** Answers with so many items on each page, the first of which has no name. */
  async function list(counts: readonly number[]) {
    const { ask, sent } = answering(({ pathname, searchParams }) => {
      if (pathname.endsWith('/username.json')) return rawReply({ username: 'a b' });
      const length = counts[Number(searchParams.get('page')) - 1] ?? 0;
      const matches = Array.from({ length }, (__, id) => ({ id, ...(id > 0 && { name: 'One' }) }));
      return rawReply({ matches });
    });
    const reply = await envato.items(ask);
    return { reply, urls: sent.slice(1).map(({ url }) => url) };
  }

  test('are read where a page has the weight of a hundred long descriptions', async () => {
    const { ask, sent } = answering(({ pathname }) =>
      rawReply(pathname.endsWith('/username.json') ? { username: 'fenwick' } : { matches: [] }),
    );
    await envato.items(ask);
    expect(sent[1]?.maxBytes).toBeGreaterThan(100 * 39_000);
  });

  const page = (number: number) =>
    `https://market.test/v1/discovery/search/search/item?username=a+b&page=${String(number)}&page_size=100`;

  test('go on after each full page, of which an unreadable entry is a part', async () => {
    const { reply, urls } = await list([100, 100, 2]);
    expect(urls).toEqual([page(1), page(2), page(3)]);
    expect(reply.ok && reply.value.items.length).toBe(199);
    expect(reply.ok && reply.value.unreadable.map(({ index }) => index)).toEqual([0, 100, 200]);
  });

  test.each([0, 2, 99])('end with a page of %i', async (count) => {
    expect((await list([count, 100])).urls).toEqual([page(1)]);
  });

  test('are not asked for where the account has no name', async () => {
    const { ask, sent } = answering(() => rawReply({}, 401));
    expect(await envato.items(ask)).toMatchObject({
      fault: { kind: 'refused', about: 'key' },
    });
    expect(sent).toHaveLength(1);
  });
});
