import type { NotFound } from '#core/purchase/check';

/**
 * Why a server may know no such purchase. A closed set: the view words each.
 *
 * - `connection-unproven`: our way of asking has never confirmed a code here, and a server that does not read it answers the same.
 * - `key-not-checked`: whether the key is good could not be asked, and validation answers a wrong key like a wrong code.
 * - `mistyped`: a sign is wrong or missing.
 * - `refunded-or-cancelled`: such purchases are answered like unknown ones.
 * - `another-seller`: a genuine code for an item of another account.
 * - `another-marketplace`: a genuine code of a marketplace that another connection, or none, stands for.
 */
export type NotFoundReason =
  | 'connection-unproven'
  | 'key-not-checked'
  | 'mistyped'
  | 'refunded-or-cancelled'
  | 'another-seller'
  | 'another-marketplace';

/** What may lie behind a not-found answer: doubts about ourselves first, since the rest means little until they are settled. */
export function notFoundReasons({ key, proven }: NotFound): readonly NotFoundReason[] {
  return [
    ...(proven ? [] : ['connection-unproven' as const]),
    ...(key === 'good' ? [] : ['key-not-checked' as const]),
    'mistyped',
    'refunded-or-cancelled',
    'another-seller',
    'another-marketplace',
  ];
}
