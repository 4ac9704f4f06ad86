import { dayMs } from '#core/time/units';

/** Describes what a seeded seller sells and has sold, before any of it becomes rows. */
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
 * So a support period that ended yesterday has done so on every day, and all answers of one day are equal.
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
export function day(days: number, time: string): Moment {
  return { from: 'today', ms: days * dayMs + Date.parse(`1970-01-01T${time}Z`) };
}

/**
 * Returns when a moment is, in epoch milliseconds.
 * @param now epoch milliseconds too
 */
export function momentAt(moment: Moment, now: number): number {
  return moment.from === 'epoch' ? moment.ms : Math.floor(now / dayMs) * dayMs + moment.ms;
}

/** Describes a conversation in the sample help desk. */
export interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly customer: string;
  /** What the shape of its codes is, for whoever picks a ticket to try. */
  readonly holds: string;
  readonly messages: readonly Message[];
  /** Sample files of the license authority that the customer has attached, by name. */
  readonly attached?: readonly string[];
}

export interface Message {
  readonly from: 'customer' | 'agent';
  /** Hours before it is looked at. */
  readonly hoursAgo: number;
  /** Plain text: an empty line parts paragraphs, lines that begin with `>` are quoted mail. */
  readonly text: string;
  /** Shown under the text, as a block of code. */
  readonly code?: string;
}
