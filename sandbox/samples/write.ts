import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Authority } from '#sandbox/authority/server';
import { publicKeyFile, sampleBatch, sampleFiles } from '#sandbox/samples/files';
import { registerSample } from '#sandbox/samples/register';

/**
 * Writes the sample files into the folder, the batch into `batch/` below it, and the public key beside them.
 * @returns how many license files there are
 */
export function writeSamples(folder: string, authority: Authority, batchSize = 1000): number {
  const { keys, ledger, clock } = authority;
  const key = keys.current();
  const now = clock();
  const batch = join(folder, 'batch');
  mkdirSync(batch, { recursive: true });
  const files = sampleFiles(key, now);
  for (const file of files) {
    registerSample(ledger, file);
    writeFileSync(join(folder, file.name), file.content);
  }
  for (const { name, content } of sampleBatch(key, now, batchSize)) {
    writeFileSync(join(batch, name), content);
  }
  const publicKey = publicKeyFile(key);
  writeFileSync(join(folder, publicKey.name), publicKey.content);
  return files.length + batchSize;
}
