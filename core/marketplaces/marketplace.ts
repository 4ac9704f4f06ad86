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
  /** `''`: there is no key, and requests that need one are not sent. */
  readonly apiKey: string;
  /** `bulk`: leaves part of the connection's rate limit to interactive checks. */
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
  /** Whether it needs no key. */
  readonly keyless?: true;
  readonly build: (access: RequestAccess) => SellerRequest;
  /** Never throws: every failure is a `Fault`. @param now epoch milliseconds */
  readonly read: (raw: RawReply, now: number) => Result<T, Fault>;
}

/** Sends one request of a connection, within its pace, and reads the reply. */
export type SendCall = <T>(call: SellerCall<T>) => Promise<Result<T, Fault>>;

export interface ItemList {
  readonly items: readonly Item[];
  /** Unreadable entries: their position in the reply, from 0, and the path of the field. */
  readonly unreadable: readonly { readonly index: number; readonly path: string }[];
  /**
   * The server's message that there are no items. Some deployments send it to an account with exactly one item, which
   * can still be requested by its id.
   */
  readonly noneFound?: { readonly msg: string };
}

/** The account has no such item or purchase; with the server's message. */
export interface Missing {
  readonly kind: 'not-found';
  readonly msg: string;
  /** True if the answer is valid for every item, although none was named. */
  readonly everywhere?: true;
  /** True if the marketplace knows the code, but for another item. */
  readonly known?: true;
}

export type ItemReply = { readonly kind: 'item'; readonly item: Item } | Missing;
export type PurchaseReply =
  | {
      readonly kind: 'purchase';
      readonly purchase: Purchase;
      /** The age of the reply in the team's relay, in milliseconds. */
      readonly ageMs?: number;
      readonly complete?: Complete;
    }
  | Missing;

/** Completes a purchase with further requests, for facts that the first reply does not contain. */
export type Complete = (sendCall: SendCall) => Promise<Result<Purchase, Fault>>;

/**
 * What a call asks for. Each of the first four may take several requests. `follow-up` uses an id in the reply to a
 * validation to ask for facts about the purchase that the reply lacks.
 */
export type CallKind = 'account' | 'items' | 'item' | 'validation' | 'follow-up';

/** The parts of an account that a team's relay shows only to some roles. */
export type AccountPart = 'balance' | 'email' | 'profile';

/**
 * A request that a team's relay accepts from an agent's program (without the relay's path) and sends to the marketplace
 * with the key. A relay sends no other requests.
 */
export interface Route {
  readonly kind: CallKind;
  readonly method: 'GET' | 'POST';
  /**
   * A `*` at the end stands for the first value, if that is an id: 1 to 64 of `[\w=-]`. A code goes in `parameters`.
   */
  readonly path: string;
  /** The names of the query or body parameters with the other values. */
  readonly parameters?: readonly string[];
  /**
   * @param values the code or the item's id first, if there is one; `''` for each that was not sent
   * @param store the connection's store
   */
  readonly call: (values: readonly string[], store: string | undefined) => SellerCall<unknown>;
  /**
   * If a relay must not pass on the whole reply: the dotted paths of the fields that it passes on, besides those of an
   * error.
   */
  readonly fields?: readonly string[];
  /** A code that cannot exist, sent to test the account. */
  readonly probeCode?: string;
}

/**
 * The fields of a reply about the account that a relay passes on, by their dotted paths, each with the parts that it
 * belongs to: a role sees the field only if it may see every listed part. A list or an object is passed on only if its
 * path ends in `.*`.
 */
export type AccountFields = Readonly<Record<string, readonly AccountPart[]>>;

/** What a team's relay needs to know about a marketplace besides how to ask it. */
export interface RelayRules {
  readonly routes: readonly Route[];
  readonly accountFields: AccountFields;
}

export type AskedItem = Pick<Item, 'id' | 'name'>;

/** How to ask a marketplace about codes and about the account of a key, and how to read its answers. */
export interface CodeReader {
  /**
   * Whether codes can be checked without a key. Pages read this from the descriptor, which the worker does not load.
   */
  readonly keyless?: true;
  /** Returns the likely intended spelling, or undefined if the code already has it. */
  readonly correctedSpelling: (code: string) => string | undefined;
  /**
   * Whether deployments differ in how they read requests, and answer a wrong key like a wrong code. A not-found is then
   * believed only after an account check and after trying the other dialects. Other marketplaces answer differently to
   * a refused key.
   */
  readonly hasDialects?: true;
  /** If it has dialects: whether an error message may be about the code. */
  readonly isOfCode?: (msg: string) => boolean;
  /** Asks for the items to try with a code, if the marketplace checks a code only for one item at a time. */
  readonly itemsToAsk?: ItemReader['items'];
  /**
   * If it has `itemsToAsk`: checks a code for all items at once. A key without that permission gives the fault
   * `refused`. A code that is not found this way may still be found for an item.
   */
  readonly lookUp?: (code: string) => SellerCall<PurchaseReply>;
  /** Asks for the account of the key. A refused key or a missing permission is the fault `refused` about `key`. */
  readonly account: (sendCall: SendCall) => Promise<Result<Account, Fault>>;
  /**
   * Checks a code. A purchase with another code is the fault `mismatch`.
   * @param within the item, if the marketplace has `itemsToAsk`; the connection's store, if it answers for every store
   */
  readonly purchase: (
    code: string,
    within: { readonly item?: AskedItem; readonly store?: string | undefined },
  ) => SellerCall<PurchaseReply>;
}

/**
 * How to ask a marketplace about the items of an account. This is separate because checking a code does not need it.
 */
export interface ItemReader {
  /** Asks for all items of the account. Unreadable entries are left out and listed. */
  readonly items: (sendCall: SendCall) => Promise<Result<ItemList, Fault>>;
  readonly item: (id: ItemId) => SellerCall<ItemReply>;
  /** Asks for the account's stores, up to 100, if the marketplace answers for the codes of every store. */
  readonly stores?: SellerCall<NonNullable<Account['stores']>>;
  /** Whether a code is checked with one item at a time. */
  readonly asksByItem?: true;
}

/** How to ask a marketplace about codes and items. */
export type Reader = CodeReader & ItemReader;

/** Joins both parts of a reader, which may be in different scripts. */
export function wholeOf(codes: CodeReader, items: ItemReader): Reader {
  return { ...codes, ...items };
}
