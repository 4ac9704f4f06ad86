import * as v from 'valibot';

import { correctedSpelling } from '#core/codes/index';
import { salesPermission, usernamePermission } from '#core/marketplaces/envato/descriptor';
import {
  askItems,
  itemIdOf,
  itemPage,
  type ItemPages,
  bareAccount,
  bareItem,
  bearerGet,
  type Body,
  buyerOf,
  readFound,
  onSuccess,
  openSuccess,
  pageAfter,
  recordIn,
  withErrorFields,
} from '#core/marketplaces/json-api';
import type { Fault } from '#core/marketplaces/fault';
import {
  type SendCall,
  type CodeReader,
  type ItemReader,
  type PurchaseReply,
  type RelayRules,
  type SellerCall,
  wholeOf,
} from '#core/marketplaces/marketplace';
import { readAt, readAskedItem } from '#core/marketplaces/reply';
import type { Item, Purchase } from '#core/marketplaces/resources';
import {
  asList,
  identifier,
  lenientFields,
  namingUnreadable,
  objectOf,
  optionalMoment,
  text,
} from '#core/marketplaces/wire';
import { safeUrl } from '#core/address/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import { isRecord } from '#core/record';
import { isAboutKey } from '#core/check/index';

/** Items per page; each has 4.7 to 39 kB. */
const pageSize = 100;

/** A code of the right form that cannot exist: the answer shows whether the token may read sales. */
const impossibleCode = '00000000-0000-4000-8000-000000000000';

/** Reads a purchase from a sale. A sale does not contain the code, so it is the one that was asked about. */
const saleSchema = v.looseObject({
  license: v.nullish(text, ''),
  supported_until: optionalMoment,
  item: v.looseObject({ id: identifier, name: text }),
});

function readItem(wire: Readonly<Record<string, unknown>> & { id: number; name: string }): Item {
  const fields = lenientFields(wire);
  const price = fields.cents('price_cents');
  const previews = Object.values(recordIn(wire, 'previews')).filter((shape) => isRecord(shape));
  const link = (...names: string[]): string | undefined =>
    names
      .flatMap((name) => previews.map((shape) => lenientFields(shape).link(name)))
      .find((address) => address !== undefined);
  const attributes = (asList(wire['attributes']) ?? []).filter((one) => isRecord(one));
  const demo = attributes.find(({ name }) => name === 'demo-url') ?? {};
  const [category = '', subCategory = ''] = fields.text('classification').split('/');
  const version = ['wordpress_theme_metadata', 'wordpress_plugin_metadata']
    .map((name) => fields.within(name).text('version'))
    .find((text) => text !== '');
  return omitUndefined({
    ...bareItem(wire.id, wire.name),
    description: fields.text('summary') || fields.text('description'),
    category,
    subCategory,
    version: version ?? '',
    demoLink: lenientFields(demo).link('value') ?? liveSiteOf(wire),
    tags: fields.texts('tags'),
    media: omitUndefined({
      thumbnail: link('thumbnail_url', 'icon_url', 'small_url'),
      previewImage: link('landscape_url', 'square_url', 'large_url'),
      previewVideo: link('video_url'),
      previewAudio: link('mp3_url'),
      screenshots: [],
    }),
    price: omitUndefined({ regular: price }),
    currency: price === undefined ? '' : 'USD',
    publishedAt: fields.moment('published_at'),
  });
}

/** Returns the live preview of an item, which may be given as a path on the item's own site. */
function liveSiteOf(wire: Body): string | undefined {
  const site = lenientFields(recordIn(recordIn(wire, 'previews'), 'live_site'));
  const address = site.text('href') || site.text('url');
  const own = lenientFields(wire).link('url');
  return address !== '' && URL.canParse(address, own)
    ? safeUrl(new URL(address, own).href)
    : undefined;
}

const itemSchema = objectOf({ id: identifier, name: text }, (wire) => readItem(wire));

const username: SellerCall<string> = {
  build: (access) => bearerGet(access, '/v1/market/private/user/username.json'),
  read: onSuccess((body) => readAt(text, body['username'], 'username')),
};

function accountPart(name: 'account' | 'email'): SellerCall<Readonly<Record<string, unknown>>> {
  return {
    build: (access) => bearerGet(access, `/v1/market/private/user/${name}.json`),
    read: openSuccess,
  };
}

/** Asks for a part of the account that needs its own permission; if that is refused, the part is left out. */
async function partOf(
  sendCall: SendCall,
  name: 'account' | 'email',
): Promise<Readonly<Record<string, unknown>>> {
  const part = await sendCall(accountPart(name));
  return part.ok ? part.value : {};
}

/** The permissions that we need, by their scopes. */
const permissionOf = new Map<string, string>([
  ['user:username', usernamePermission],
  ['sale:history', salesPermission],
]);

/** Asks for the scopes of a token; every token may ask that. */
const whoami: SellerCall<readonly string[]> = {
  build: (access) => bearerGet(access, '/whoami'),
  read: onSuccess((body) => succeed(lenientFields(body).texts('scopes'))),
};

type Refused = Extract<Result<unknown, Fault>, { ok: false }>;

/** Adds to a refusal of the key the permissions that it lacks. */
function lacking(refused: Refused, permissions: readonly string[]): Result<never, Fault> {
  const { fault } = refused;
  return isAboutKey(fault) && permissions.length > 0
    ? fail({ ...fault, permission: permissions.join(', ') })
    : refused;
}

async function account(sendCall: SendCall): ReturnType<CodeReader['account']> {
  const name = await sendCall(username);
  if (!name.ok) {
    // A wrong token gets the same message as one without the permission, but it has no scopes.
    const scopes = await sendCall(whoami);
    const lacks = [...permissionOf].filter(([scope]) => scopes.ok && !scopes.value.includes(scope));
    return lacking(
      name,
      lacks.map(([, permission]) => permission),
    );
  }
  const sales = await sendCall(envatoCodes.purchase(impossibleCode, {}));
  if (!sales.ok) return lacking(sales, [salesPermission]);
  const fields = lenientFields(recordIn(await partOf(sendCall, 'account'), 'account'));
  const [first, last] = [fields.text('firstname'), fields.text('surname')];
  return succeed(
    bareAccount(
      omitUndefined({
        username: name.value,
        email: lenientFields(await partOf(sendCall, 'email')).text('email'),
        name: { first, last, full: `${first} ${last}`.trim() },
        balance: fields.amount('balance'),
        currency: 'USD',
        avatar: fields.link('image'),
      }),
    ),
  );
}

function pagesOf(name: string): ItemPages {
  return {
    build: (access, page) =>
      bearerGet(access, '/v1/discovery/search/search/item', {
        username: name,
        page: page || '1',
        page_size: String(pageSize),
      }),
    schema: itemSchema,
    list: 'matches',
    next: (_, page, count) => pageAfter(page, count < pageSize ? 0 : Infinity),
  };
}

async function items(sendCall: SendCall): ReturnType<ItemReader['items']> {
  const name = await sendCall(username);
  return name.ok ? askItems(sendCall, pagesOf(name.value)) : name;
}

/** A code of another form is answered with 422. */
function isUnknown(status: number, { error, description }: Body): boolean {
  return status === 422 || (status === 404 && (error === 404 || typeof description === 'string'));
}

/** Asks Envato Market. Support is sold separately from the item, so only `supported_until` decides. */
export const envatoCodes: CodeReader = {
  correctedSpelling,
  account,

  purchase: (code) => ({
    build: (access) => bearerGet(access, '/v3/market/author/sale', { code }),
    read: (raw, now) => {
      const readSale = (body: Body): Result<PurchaseReply, Fault> => {
        const sale = readAt(saleSchema, body, '$');
        if (!sale.ok) return sale;
        const { license, supported_until: supportedUntil, item } = sale.value;
        const fields = lenientFields(body);
        const purchase: Purchase = omitUndefined({
          purchaseCode: code,
          licenseType: license.replace(/ License$/u, ''),
          currency: '',
          item: readItem(item),
          supportedUntil: supportedUntil ?? undefined,
          date: fields.moment('sold_at'),
          buyer: buyerOf(fields.text('buyer'), ''),
        });
        return succeed({ kind: 'purchase', purchase: namingUnreadable(purchase, fields) });
      };
      return readFound(raw, now, readSale, isUnknown);
    },
  }),
};

export const envatoItems: ItemReader = {
  items,

  item: (id) => ({
    build: (access) => bearerGet(access, '/v3/market/catalog/item', { id: String(id) }),
    read: (raw, now) =>
      readFound(raw, now, (body) => readAskedItem(itemSchema, body, '$', id), isUnknown),
  }),
};

export const envato = /* @__PURE__ */ wholeOf(envatoCodes, envatoItems);

export const envatoRelayRules: RelayRules = {
  routes: [
    {
      kind: 'account',
      method: 'GET',
      path: '/v1/market/private/user/username.json',
      call: () => username,
    },
    {
      kind: 'account',
      method: 'GET',
      path: '/v1/market/private/user/account.json',
      call: () => accountPart('account'),
    },
    {
      kind: 'account',
      method: 'GET',
      path: '/v1/market/private/user/email.json',
      call: () => accountPart('email'),
    },
    { kind: 'account', method: 'GET', path: '/whoami', call: () => whoami },
    {
      kind: 'items',
      method: 'GET',
      path: '/v1/discovery/search/search/item',
      parameters: ['username', 'page'],
      call: ([name = '', page = '']) => itemPage(pagesOf(name), page),
    },
    {
      kind: 'item',
      method: 'GET',
      path: '/v3/market/catalog/item',
      parameters: ['id'],
      call: ([id = '']) => envatoItems.item(itemIdOf(id)),
    },
    {
      kind: 'validation',
      method: 'GET',
      path: '/v3/market/author/sale',
      parameters: ['code'],
      call: ([code = '']) => envatoCodes.purchase(code, {}),
      probeCode: impossibleCode,
    },
  ],
  accountFields: /* @__PURE__ */ withErrorFields({
    username: [],
    'scopes.*': [],
    email: ['email'],
    'account.firstname': [],
    'account.surname': [],
    'account.image': ['profile'],
    'account.country': ['profile'],
    'account.balance': ['balance'],
    'account.available_earnings': ['balance'],
  }),
};
