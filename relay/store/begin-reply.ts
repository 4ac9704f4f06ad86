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
