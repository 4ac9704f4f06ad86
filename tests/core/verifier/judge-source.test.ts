import { expect, it } from 'vitest';

import { FILE_LIMIT_BYTES } from '#core/license/encoding/source-fault';
import { chooseEngine } from '#core/license/signature/engines';
import { judgeSource } from '#core/verifier/judge-source';
import type { JudgeContext, ReadableFile } from '#core/verifier/verifier-request';
import { LICENSE_CLAIMS, NOW, pinned, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/license/signature/sign';

const signer = makeSigner(1);
const context: JudgeContext = { now: NOW, keys: [pinned(signer)], expected: {}, unreached: false };
const engine = await chooseEngine();

/** A file that says how large it is, and remembers whether it was read. */
function fileOf(text: string, size = text.length): ReadableFile & { wasRead: boolean } {
  return {
    size,
    wasRead: false,
    arrayBuffer() {
      this.wasRead = true;
      return Promise.resolve(new TextEncoder().encode(text).buffer);
    },
  };
}

it('a file above the cap is not read', async () => {
  const large = fileOf('', FILE_LIMIT_BYTES + 1);
  const { inspection } = await judgeSource({ parts: [large] }, context, engine);
  expect(inspection.sourceFault).toEqual({ kind: 'too-large', limitBytes: FILE_LIMIT_BYTES });
  expect(large.wasRead).toBe(false);
});

it('no part is read when a later one is above the cap', async () => {
  const first = fileOf(token(signer, LICENSE_CLAIMS));
  const parts = [first, fileOf('', FILE_LIMIT_BYTES + 1)];
  const { inspection } = await judgeSource({ parts }, context, engine);
  expect(inspection.sourceFault?.kind).toBe('too-large');
  expect(first.wasRead).toBe(false);
});

it('a file at the cap is read', async () => {
  const full = fileOf(token(signer, LICENSE_CLAIMS).padEnd(FILE_LIMIT_BYTES));
  const { inspection } = await judgeSource({ parts: [full] }, context, engine);
  expect(inspection.standing).toBe('not-activated');
});
