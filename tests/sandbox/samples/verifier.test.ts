import { describe, expect, it } from 'vitest';

import { chooseEngine } from '#core/license/signature/engines';
import { inspectText } from '#core/license/inspect/inspect';
import type { Inspection } from '#core/license/inspect/inspection';
import { strayKey, toPem } from '#sandbox/authority/keys';
import { sampleBatch, sampleFiles } from '#sandbox/samples/files';
import { pin } from '#tests/core/installation/site';

const now = Date.UTC(2026, 10, 15, 9);
const key = strayKey(now);
const keys = [pin(toPem(key.publicKey))];
const engine = await chooseEngine();
const judge = (content: string | Uint8Array): Promise<Inspection> =>
  inspectText(content, { keys, engine, now });

describe('the verifier', () => {
  it.each(sampleFiles(key, now))('reads $name as its name says', async ({ content, standing }) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    expect((await judge(bytes)).standing).toBe(standing);
  });

  it('reads the batch as its names say', async () => {
    for (const { name, content } of sampleBatch(key, now, 30)) {
      const { standing } = await judge(content);
      expect(name.startsWith(`${standing}-`) ? name : standing).toBe(name);
    }
  });
});
