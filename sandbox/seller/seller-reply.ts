import type { JsonObject } from '#core/license/encoding/strict-json';
import { type AccountId, momentAt, type SeedItem } from '#sandbox/seed/shape';
import type { StoredAccount, StoredPurchase } from '#sandbox/seller/seller-store';

/** Writes the account as `data` of account details (spec section 2, "Account"). */
export function accountBody(account: StoredAccount, origin: string): JsonObject {
  const media = `${origin}/media/${account.id}`;
  return {
    name: {
      firstname: account.firstname,
      lastname: account.lastname,
      full_name: `${account.firstname} ${account.lastname}`,
    },
    username: account.username,
    email: account.email,
    balance: account.balance,
    currency: account.currency,
    profile: {
      heading: account.heading,
      description: account.description,
      contact: { email: account.contactEmail },
      social_links: { ...account.socialLinks },
      media: { avatar: `${media}/avatar.svg`, cover: `${media}/cover.svg` },
    },
    registered_at: timestamp(Date.parse(account.registeredAt)),
  };
}

/** Writes an item by the presence rules of its media (spec section 2, "Item media"). */
export function itemBody(
  item: SeedItem,
  shop: { readonly account: AccountId; readonly currency: string; readonly origin: string },
): JsonObject {
  const media = `${shop.origin}/media/${shop.account}/${String(item.id)}`;
  const screenshots = Array.from(
    { length: item.screenshots ?? 0 },
    (_, index) => `${media}/screenshot-${String(index + 1)}.svg`,
  );
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    category: item.category,
    sub_category: item.subCategory,
    options: [...item.options],
    version: item.version,
    demo_link: `${shop.origin}/preview/${shop.account}/${String(item.id)}`,
    tags: [...item.tags],
    media: {
      thumbnail: `${media}/thumbnail.svg`,
      ...(item.kind === 'audio' ? {} : { preview_image: `${media}/preview.svg` }),
      ...(item.kind === 'video' ? { preview_video: `${media}/preview.webm` } : {}),
      ...(item.kind === 'audio' ? { preview_audio: `${media}/preview.wav` } : {}),
      ...(screenshots.length > 0 ? { screenshots } : {}),
    },
    price: { regular: item.regular, extended: item.extended },
    currency: shop.currency,
    published_at: timestamp(Date.parse(item.publishedAt)),
  };
}

/** Writes a purchase, `supported_until` left out where support is off or was not bought (spec section 2, "Purchase"). */
export function purchaseBody(
  purchase: StoredPurchase,
  sold: { readonly item: JsonObject; readonly supportOff: boolean; readonly currency: string },
  now: number,
): JsonObject {
  const until = sold.supportOff ? undefined : purchase.supportedUntil;
  return {
    purchase_code: purchase.code,
    license_type: purchase.license,
    price: purchase.price,
    currency: sold.currency,
    item: sold.item,
    ...(until === undefined ? {} : { supported_until: timestamp(momentAt(until, now)) }),
    downloaded: purchase.downloaded,
    date: timestamp(momentAt(purchase.bought, now)),
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
