import type { RawReply } from '#core/http/exchange';

export type Wire = Record<string, unknown>;

/** Gives bodies with every field of spec section 2. Functions, so that each test may change its own. */
export function accountWire(): Wire {
  return {
    name: { firstname: 'Ada', lastname: 'Lund', full_name: 'Ada Lund' },
    username: 'adalund',
    email: 'ada@seller.test',
    balance: 1204.5,
    currency: 'USD',
    profile: {
      heading: 'Themes & plugins',
      description: '<b>Since 2014</b>',
      contact: { email: 'hello@seller.test' },
      social_links: { facebook: 'https://facebook.test/ada', x: 'https://x.test/ada' },
      media: { avatar: 'https://cdn.test/a.png', cover: 'https://cdn.test/c.png' },
    },
    registered_at: '2014-05-06T07:08:09Z',
  };
}

export function itemWire(): Wire {
  return {
    id: 41,
    name: 'Harbour theme',
    description: 'A theme.',
    category: 'Themes',
    sub_category: 'Blog',
    options: ['PHP 8', 'Documentation'],
    version: '2.4.1',
    demo_link: 'https://demo.test/harbour',
    tags: ['blog', 'clean'],
    media: {
      thumbnail: 'https://cdn.test/t.png',
      preview_image: 'https://cdn.test/p.png',
      preview_video: 'https://cdn.test/p.mp4',
      preview_audio: 'https://cdn.test/p.mp3',
      screenshots: ['https://cdn.test/1.png', 'https://cdn.test/2.png'],
    },
    price: { regular: 29, extended: 149.5 },
    currency: 'USD',
    published_at: '2020-02-29T00:00:00Z',
  };
}

export const askedCode = '8f14e45f-ceea-767f-9575-28c4dd4bb4a1';

export function purchaseWire(): Wire {
  return {
    purchase_code: askedCode,
    license_type: 'Regular',
    price: 29,
    currency: 'USD',
    item: itemWire(),
    supported_until: '2027-03-12T10:00:00Z',
    downloaded: true,
    date: '2026-09-12T10:00:00Z',
  };
}

export function rawReply(body: unknown, status = 200, more: Partial<RawReply> = {}): RawReply {
  return rawText(JSON.stringify(body), status, { contentType: 'application/json', ...more });
}

export function rawText(text: string, status = 200, more: Partial<RawReply> = {}): RawReply {
  return { status, contentType: 'text/html', body: new TextEncoder().encode(text), ...more };
}

/** Returns the same body with the value at a dotted path replaced, or left out when it is `undefined`. */
export function withField(body: Wire, path: string, value: unknown): Wire {
  const [head = '', ...rest] = path.split('.');
  const changed = rest.length === 0 ? value : withField(body[head] as Wire, rest.join('.'), value);
  const copy = { ...body, [head]: changed };
  return Object.fromEntries(Object.entries(copy).filter(([, entry]) => entry !== undefined));
}
