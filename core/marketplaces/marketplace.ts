import type { Connection } from '#core/connections/index';
import type { RawReply, SellerRequest } from '#core/http/exchange';
import type { Fault } from '#core/marketplaces/fault';
import type { Account, Item, Purchase } from '#core/marketplaces/resources';
import type { Result } from '#core/result';
import type { ItemId } from '#core/item-id';

/** The address and the key that a request is built with. */
export interface RequestAccess {
  readonly connection: Pick<Connection, 'baseAddress' | 'store' | 'throughRelay'> & {
    readonly dialect: Pick<Connection['dialect'], 'keyPlacement' | 'encoding'>;
  };
  /** `''`: there is none, and what needs one is not asked. */
  readonly apiKey: string;
  /** `bulk`: leaves a part of the connection's rate limit to interactive checks. */
  readonly priority?: 'bulk';
  /** Whether the agent asked for a new answer: a relay then bypasses its cache. */
  readonly fresh?: boolean;
}

/** A connection with its API key for one operation. It exists only in the worker. */
export interface SellerAccess extends RequestAccess {
  readonly connection: Connection;
  /** When the operation must have ended, epoch milliseconds. */
  readonly deadline: number;
}

/** Builds one request and reads its reply. */
export interface SellerCall<T> {
  /** Whether the marketplace answers it without a key. */
  readonly keyless?: true;
  readonly build: (access: RequestAccess) => SellerRequest;
  /** Never throws: every failure is a `Fault`. @param now epoch milliseconds */
  readonly read: (raw: RawReply, now: number) => Result<T, Fault>;
}

/** Sends one request of a connection, within its pace, and reads the reply. */
export type AskSeller = <T>(call: SellerCall<T>) => Promise<Result<T, Fault>>;

export interface ItemList {
  readonly items: readonly Item[];
  /** Entries that could not be read: their position in the reply, from 0, and the path of the field. */
  readonly unreadable: readonly { readonly index: number; readonly path: string }[];
  /**
   * The server's message that there are none. Some deployments send it to an account with exactly one item, which can
   * still be requested by its id.
   */
  readonly noneFound?: { readonly msg: string };
}

/** States that the account has no such item or purchase, with the server's message. */
export interface Missing {
  readonly kind: 'not-found';
  readonly msg: string;
  /** True when the answer holds for every item, although none was named. */
  readonly everywhere?: true;
  /** True when the marketplace knows the code, as one of another item. */
  readonly known?: true;
}

export type ItemReply = { readonly kind: 'item'; readonly item: Item } | Missing;
export type PurchaseReply =
  | {
      readonly kind: 'purchase';
      readonly purchase: Purchase;
      /** How long ago the team's relay got it from the seller, in milliseconds. */
      readonly ageMs?: number;
      readonly complete?: Complete;
    }
  | Missing;

/** Asks for what a reply about a purchase does not tell, in further requests, and returns the purchase with it. */
export type Complete = (ask: AskSeller) => Promise<Result<Purchase, Fault>>;

/**
 * What a call asks for. A marketplace may ask one of the first four in several requests; `follow-up` asks by an id in
 * the reply to a validation what that reply does not tell of the purchase.
 */
export type CallKind = 'account' | 'items' | 'item' | 'validation' | 'follow-up';

/** The parts of an account that a team's relay shows to some roles alone. */
export type AccountPart = 'balance' | 'email' | 'profile';

/**
 * A request that a team's relay accepts from an agent's program (without the relay's path) and makes again with the
 * key. A marketplace is asked only what a route names.
 */
export interface Route {
  readonly kind: CallKind;
  readonly method: 'GET' | 'POST';
  /**
   * A `*` at the end stands for the first value, where that is an id: 1 to 64 of `[\w=-]`. A code goes in `parameters`.
   */
  readonly path: string;
  /** The parameters of the query or the body that the other values are in. */
  readonly parameters?: readonly string[];
  /**
   * @param values first the code or the item's id, where the question has one; `''` for each that was not sent
   * @param store the connection's
   */
  readonly call: (values: readonly string[], store: string | undefined) => SellerCall<unknown>;
  /**
   * The dotted paths of the reply's fields that a relay passes on besides those of an error, if the whole reply says
   * more than was asked.
   */
  readonly fields?: readonly string[];
  /** A code that cannot exist, sent to learn about the account. */
  readonly probeCode?: string;
}

/**
 * The fields of a reply about the account that a relay passes on, by their dotted paths, with the parts that they
 * belong to: whoever may not see all of these is not shown the field. A list or an object is passed on where its path
 * ends in `.*`.
 */
export type AccountFields = Readonly<Record<string, readonly AccountPart[]>>;

/** The facts of a marketplace that a team's relay needs beside how it is asked. */
export interface RelayRules {
  readonly routes: readonly Route[];
  readonly accountFields: AccountFields;
}

export type AskedItem = Pick<Item, 'id' | 'name'>;

/**
 * How a marketplace is asked about codes and about the account behind a key, how its answers are read, and what it can
 * tell.
 */
export interface CodeReader {
  /**
   * Whether codes are asked about without a key. Pages read this from the descriptor, which the worker does not load.
   */
  readonly keyless?: true;
  /** Suggests the spelling that a code was meant to have; undefined where it is spelled so already. */
  readonly correctedSpelling: (code: string) => string | undefined;
  /**
   * Whether deployments differ in how they read a request, and answer a wrong key like a wrong code: a not-found is
   * then believed only after an account check, and after the other ways to ask. Elsewhere a refused key has an answer
   * of its own.
   */
  readonly hasDialects?: true;
  /** Where it has dialects: whether the message of an error may be about the code that was asked about. */
  readonly isOfCode?: (msg: string) => boolean;
  /**
   * Asks for the items of which a code is asked about one after the other, where it can be asked about with one item at
   * a time.
   */
  readonly itemsToAsk?: ItemReader['items'];
  /**
   * Asks about a code of any item at once, where it has `itemsToAsk` and the key may: one that lacks the permission is
   * the fault `refused` with it. What is not found so may still be found for an item.
   */
  readonly lookUp?: (code: string) => SellerCall<PurchaseReply>;
  /** Asks for the account behind the key. A refused key or a missing permission is the fault `refused` about `key`. */
  readonly account: (ask: AskSeller) => Promise<Result<Account, Fault>>;
  /**
   * Asks about a code. A purchase with another code is the fault `mismatch`.
   * @param within the item, where the marketplace has `itemsToAsk`; the connection's store, where it answers for every
   * store
   */
  readonly purchase: (
    code: string,
    within: { readonly item?: AskedItem; readonly store?: string | undefined },
  ) => SellerCall<PurchaseReply>;
}

/** How a marketplace is asked about the items of an account. It stands apart, since no check of a code needs it. */
export interface ItemReader {
  /** Asks for all items of the account. Entries that cannot be read are left out and named. */
  readonly items: (ask: AskSeller) => Promise<Result<ItemList, Fault>>;
  readonly item: (id: ItemId) => SellerCall<ItemReply>;
  /** Asks for the account's stores, up to 100, where the marketplace answers for the codes of every store. */
  readonly stores?: SellerCall<NonNullable<Account['stores']>>;
  /** Whether a code is asked about with one of the items at a time. */
  readonly asksByItem?: true;
}

/** How a marketplace is asked about codes and items alike. */
export type Reader = CodeReader & ItemReader;

/** Joins both parts, where they stand in different scripts. */
export function wholeOf(codes: CodeReader, items: ItemReader): Reader {
  return { ...codes, ...items };
}
