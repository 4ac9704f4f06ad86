import { describe, expect, it } from 'vitest';

import { chooseEngine } from '#core/keys/ed25519';
import { inspectText, type Inspection } from '#core/license/index';
import { strayKey, toPem } from '#sandbox/authority/keys';
import { sampleBatch, sampleFiles } from '#sandbox/samples/files';
import { sampleInstallation } from '#sandbox/samples/installation';
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

  it.each(sampleFiles(key, now).filter(({ judgement }) => judgement !== undefined))(
    'says of $name what a careful reader says',
    async ({ content, judgement }) => {
      const { headline, others } = await judge(content);
      expect({ tone: headline.tone, sentences: headline.sentences.map(({ id }) => id) }).toEqual(
        judgement,
      );
      expect(others).toEqual([]);
    },
  );

  it('reads no bundle out of the documents of two sellers, one of them a test key', async () => {
    const second = strayKey(now + 1);
    const [mine, theirs] = [key, second].map((one) => sampleInstallation('bundle', one, now));
    const text = JSON.stringify({
      ...mine?.state('activated'),
      activation_certificate: theirs?.compact('activated'),
    });
    for (const kind of ['live', 'test'] as const) {
      const pinned = [...keys, pin(toPem(second.publicKey), { id: 'second', kind })];
      const report = await inspectText(text, { keys: pinned, engine, now });
      expect(report.standing).toBe('not-activated');
      expect(report.headline.sentences.map(({ id }) => id)).toEqual([
        'not-activated',
        'other-signer',
      ]);
    }
  });

  it('tells grace from the file’s own words', async () => {
    const grace = sampleFiles(key, now).find(({ name }) => name === 'grace-bundle.json');
    const { headline } = await judge(grace?.content ?? '');
    expect(headline.sentences.map(({ id }) => id)).toEqual(['grace-stated']);
  });

  it('reads the batch as its names say', async () => {
    for (const { name, content } of sampleBatch(key, now, 30)) {
      const { standing } = await judge(content);
      expect(name.startsWith(`${standing}-`) ? name : standing).toBe(name);
    }
  });
});
