import { strayKey, toPem } from '#sandbox/authority/keys';
import { sampleBatch, sampleFiles } from '#sandbox/samples/files';
import { sampleStandings } from '#sandbox/samples/installation';
import { describe, expect, it } from 'vitest';

import { judgeByTheBook } from '#tests/sandbox/samples/judge';

const now = Date.UTC(2026, 10, 15, 9);
const key = strayKey(now);
const pem = toPem(key.publicKey);
const files = sampleFiles(key, now);
const textOf = (content: string | Uint8Array): string => Buffer.from(content).toString();

/** Files that must be repaired before they can be read: the verifier's own tests open them. */
const mangled = /armoured|wrapped|mangled|zero-width|quotes|padded|bom|utf-16|nothing|empty|newest/;

describe('the sample files', () => {
  it('have names of their own, led by their standing', () => {
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    for (const { name, standing } of files) {
      expect(name).toMatch(new RegExp(`^${standing}-[a-z\\d-]+\\.[a-z]+$`));
    }
  });

  it('cover every standing', () => {
    expect(new Set(files.map(({ standing }) => standing))).toEqual(new Set(sampleStandings));
  });

  it.each(files.filter(({ name }) => !mangled.test(name)))('$name is what it says', (file) => {
    expect(judgeByTheBook(textOf(file.content), pem, now)).toBe(file.standing);
  });

  it.each(files.filter(({ name }) => mangled.test(name)))(
    '$name reads as no plain token',
    (file) => {
      const text = textOf(file.content);
      expect(text.length).toBeLessThan(16_384);
      expect(/^[\w-]+\.[\w-]+$/.test(text)).toBe(false);
    },
  );

  it('hold their standing for a day', () => {
    for (const file of files.filter(({ name }) => !mangled.test(name))) {
      const later = judgeByTheBook(textOf(file.content), pem, now + 86_400_000);
      expect([file.name, later]).toEqual([file.name, file.standing]);
    }
  });

  it('name the same license in every making', () => {
    const again = sampleFiles(key, now + 5000);
    const ids = (list: typeof files): (string | undefined)[] =>
      list.map(({ installation }) => installation?.installationId);
    expect(ids(again)).toEqual(ids(files));
  });
});

describe('the batch', () => {
  it('holds as many as asked, each of them what it says', () => {
    const batch = [...sampleBatch(key, now, 60)];
    expect(batch).toHaveLength(60);
    expect(new Set(batch.map(({ content }) => textOf(content))).size).toBe(60);
    for (const { name, content } of batch) {
      const standing = judgeByTheBook(textOf(content), pem, now);
      expect(name).toMatch(new RegExp(`^${standing}-\\d{4}\\.`));
    }
  });
});
