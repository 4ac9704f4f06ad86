import { defineRecord } from '#adapters/storage/tables';
import { readRing } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import { fail, succeed } from '#core/result';

export const pinnedKeyCodec = defineRecord<PinnedKey>((fields) => {
  const key = readRing([fields])[0];
  return key === undefined ? fail('raw') : succeed(key);
});
