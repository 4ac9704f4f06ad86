import type { NotFound } from '#core/check/check-answer';

/**
 * Names why a server may know no such purchase. The set is closed: the view has a message for each.
 *
 * - `never-proven`: this connection has never confirmed a code; a server that cannot read the request answers the same.
 * - `key-unknown`: the key could not be checked, and validation answers a wrong key like a wrong code.
 * - `mistyped`: a character is wrong or missing.
 * - `refunded`: a refunded or cancelled purchase is answered like an unknown one.
 * - `other-seller`: the code is genuine, but for another account or marketplace.
 */
export type NotFoundReason =
  | 'never-proven'
  | 'key-unknown'
  | 'mistyped'
  | 'refunded'
  | 'other-seller';

/** Lists the possible reasons of a not-found answer, those in the connection's own set-up first. */
export function notFoundReasons({ key, proven }: NotFound): readonly NotFoundReason[] {
  return [
    ...(proven ? [] : ['never-proven' as const]),
    ...(key === 'good' ? [] : ['key-unknown' as const]),
    'mistyped',
    'refunded',
    'other-seller',
  ];
}
