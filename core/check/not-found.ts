import type { NotFound } from '#core/check/check-answer';

/**
 * Why a server may know no such purchase. A closed set: the view words each.
 *
 * - `never-proven`: our way of asking has never confirmed a code here, and a server that does not read it answers the same.
 * - `key-unknown`: whether the key is good could not be asked, and validation answers a wrong key like a wrong code.
 * - `mistyped`: a sign is wrong or missing.
 * - `refunded`: a purchase that was refunded or cancelled is answered like an unknown one.
 * - `other-seller`: a genuine code, but for an item of another account or from another marketplace.
 */
export type NotFoundReason =
  'never-proven' | 'key-unknown' | 'mistyped' | 'refunded' | 'other-seller';

/** What may lie behind a not-found answer: doubts about ourselves first, since the rest means little until they are settled. */
export function notFoundReasons({ key, proven }: NotFound): readonly NotFoundReason[] {
  return [
    ...(proven ? [] : ['never-proven' as const]),
    ...(key === 'good' ? [] : ['key-unknown' as const]),
    'mistyped',
    'refunded',
    'other-seller',
  ];
}
