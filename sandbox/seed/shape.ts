import { dayMs } from '#core/time/index';

/** The items and sales of a seeded seller, before they become rows. */
export interface SeedAccount {
  readonly id: AccountId;
  readonly firstname: string;
  readonly lastname: string;
  readonly username: string;
  readonly email: string;
  readonly balance: number;
  /** Also the currency of the account's items and purchases. */
  readonly currency: string;
  readonly heading: string;
  readonly description: string;
  readonly contactEmail: string;
  readonly socialLinks: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly registeredAt: string;
  readonly items: readonly SeedItem[];
  readonly purchases: readonly SeedPurchase[];
}

export type AccountId = 'demo' | 'market' | 'solo';

export type ItemKind = 'code' | 'theme' | 'audio' | 'video';

export interface SeedItem {
  readonly id: number;
  readonly kind: ItemKind;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly subCategory: string;
  readonly options: readonly string[];
  readonly version: string;
  readonly tags: readonly string[];
  readonly regular: number;
  readonly extended: number;
  readonly screenshots?: number;
  /** ISO 8601. */
  readonly publishedAt: string;
  /** The seller has switched support off for this item: no purchase of it shows `supported_until`. */
  readonly supportOff?: true;
}

/**
 * Describes an item on sale.
 * @param prices of a regular and of an extended license
 * @param more its category with the one within it, and all else
 */
export function offer(
  id: number,
  kind: ItemKind,
  name: string,
  [regular, extended]: readonly [number, number],
  more: Omit<
    SeedItem,
    'id' | 'kind' | 'name' | 'regular' | 'extended' | 'category' | 'subCategory'
  > & {
    readonly category: readonly [string, string];
  },
): SeedItem {
  const [category, subCategory] = more.category;
  return { id, kind, name, regular, extended, ...more, category, subCategory };
}

export interface SeedPurchase {
  readonly code: string;
  readonly item: number;
  readonly license: 'Regular' | 'Extended';
  /** Absent: the item's price for that license today. */
  readonly price?: number;
  readonly bought: Moment;
  /** Absent: support was not bought. */
  readonly supportedUntil?: Moment;
  readonly downloaded: boolean;
}

/**
 * Gives a moment in milliseconds, relative to the start of the day (UTC) of the request, or to the epoch.
 *
 * Thus a support period that ended yesterday did so on every day, and all answers of one day are equal.
 */
export interface Moment {
  readonly from: 'today' | 'epoch';
  readonly ms: number;
}

/**
 * Returns a moment relative to the day of the request.
 * @param days whole days after today, negative for days ago
 * @param time of that day in UTC, `hh:mm:ss`
 */
function day(days: number, time: string): Moment {
  return { from: 'today', ms: days * dayMs + Date.parse(`1970-01-01T${time}Z`) };
}

/**
 * Describes a purchase of a regular license that was downloaded, unless `more` says otherwise.
 * @param days when it was bought and until when it is supported, as of `day`; support was not bought where the second
 * is missing
 * @param time of both days
 */
export function sale(
  code: string,
  item: number,
  [bought, until]: readonly [number, number?],
  time: string,
  more: Partial<Pick<SeedPurchase, 'license' | 'price' | 'downloaded'>> = {},
): SeedPurchase {
  return {
    code,
    item,
    license: 'Regular',
    bought: day(bought, time),
    ...(until === undefined ? {} : { supportedUntil: day(until, time) }),
    downloaded: true,
    ...more,
  };
}

export const extended = { license: 'Extended' } as const;
export const unused = { downloaded: false } as const;

/**
 * Returns when a moment is, in epoch milliseconds.
 * @param now epoch milliseconds too
 */
export function momentAt(moment: Moment, now: number): number {
  return moment.from === 'epoch' ? moment.ms : Math.floor(now / dayMs) * dayMs + moment.ms;
}
