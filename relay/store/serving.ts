import * as v from 'valibot';
import type { TakenSlots } from '#relay/rules/pace';
import type { ConnectionRecord, SealedKey } from '#relay/store/records';

/** Says how many bytes of a sealed key name it: the random ones that its encryption began with. */
export const keyNameBytes = 12;

/**
 * Returns the key of a cached reply. Only what the very same API key was given is found by it: its version begins at 1 again when a
 * connection is removed and added anew, what it was encrypted with never does.
 */
export function cacheKeyOf(
  { connection, sealed }: Pick<SealedKey, 'connection' | 'sealed'>,
  end: string,
): string {
  const name = Buffer.from(sealed.subarray(0, keyNameBytes)).toString('hex');
  return [connection, name, end].join(':');
}

/** Tells whether a connection still leads to the same account after a change, so that its key and its cached replies stay. */
export function isSameAccount(before: ConnectionRecord, after: ConnectionRecord): boolean {
  return (
    before.baseAddress === after.baseAddress &&
    before.marketplace === after.marketplace &&
    before.store === after.store
  );
}

/** Tells how a reply was released: `threw` when its beginning failed. */
export type Released = 'begun' | 'withheld' | { readonly threw: unknown };

/** Begins a reply inside a transaction that others share, who must not lose what they have written when this one throws. */
export function beginReply(begin: () => void): Released {
  try {
    begin();
    return 'begun';
  } catch (error) {
    return { threw: error };
  }
}

/** Throws what the beginning of a reply has thrown, once the transaction is committed. */
export function orThrow(released: Released): 'begun' | 'withheld' {
  if (typeof released === 'object') throw released.threw;
  return released;
}

/** Remembers slots of this process whose calls have ended, until the next decision about their upstream takes them into account. */
export interface SettledSlots {
  readonly add: (connection: string, slots: readonly number[]) => void;
  /** Takes them out, so that none counts twice. One that is lost counts as taken until its deadline. */
  readonly take: (connection: string) => readonly number[];
}

export function createSettledSlots(): SettledSlots {
  const settled = new Map<string, readonly number[]>();
  return {
    add: (connection, slots) => {
      settled.set(connection, [...(settled.get(connection) ?? []), ...slots]);
    },
    take: (connection) => {
      const slots = settled.get(connection) ?? [];
      settled.delete(connection);
      return slots;
    },
  };
}

const takenSlots = v.array(v.tuple([v.number(), v.number()]));

/** Reads the slots that were taken as a column has them, which is JSON. */
export function readTaken(text: unknown): TakenSlots {
  return v.parse(v.pipe(v.string(), v.parseJson(), takenSlots), text);
}

/** Copies a row without the columns that are null. */
export function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
