import * as v from 'valibot';

import type { PinnedKey } from '#core/keys/index';

const digits = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));
const word = v.pipe(v.string(), v.maxLength(200));

/**
 * Validates a public key that is pinned, or signed for a team, without a person looking at it, so nothing is guessed or
 * left out. Does not compare the fingerprint with the bytes.
 */
export const sharedKeySchema: v.GenericSchema<unknown, PinnedKey> = v.strictObject({
  id: v.optional(word, ''),
  label: v.optional(word, ''),
  keyId: v.exactOptional(word),
  raw: digits,
  fingerprint: digits,
  validFrom: v.exactOptional(v.number()),
  validTo: v.exactOptional(v.number()),
  revoked: v.optional(v.boolean(), false),
  kind: v.picklist(['live', 'test', 'unstated']),
  authority: v.exactOptional(word),
  sameAuthorityAs: v.exactOptional(digits),
  products: v.exactOptional(v.array(word)),
  productNames: v.exactOptional(
    v.pipe(v.array(v.pipe(v.array(word), v.maxLength(100))), v.maxLength(100)),
  ),
});
