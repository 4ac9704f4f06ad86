import { expect, test } from 'vitest';

import { type ArchivedFile, zipArchive } from '#scripts/packages/archives';
import { unzipArchive } from '#tests/support/unpacked';
import { run } from '#scripts/machine/processes';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const files: readonly ArchivedFile[] = [
  { path: 'manifest.json', content: text('{}'), executable: false },
  { path: '.ci/run', content: text('#!/bin/sh\n'), executable: true },
  { path: '_locales/en/messages.json', content: text('{"name":{}}'), executable: false },
];

test('an archive holds every file as it was, those whose names start with a dot too', async () => {
  const unpacked = await unzipArchive(await zipArchive(files));
  expect(unpacked).toHaveLength(files.length);
  expect(unpacked).toEqual(expect.arrayContaining([...files]));
});

test('an archive has the same bytes in whatever order the files come', async () => {
  expect(await zipArchive(files.toReversed())).toEqual(await zipArchive(files));
});

/** Packs a file in a process of its own, in a time zone; returns the archive in hexadecimal. */
async function packedIn(zone: string): Promise<string> {
  const script = `
    import { zipArchive } from '#scripts/packages/archives';
    const archive = await zipArchive([{ path: 'a', content: new Uint8Array([1]) }]);
    console.log(Buffer.from(archive).toString('hex'));
  `;
  const args = ['--input-type=module', '--eval', script];
  const { output } = await run('node', args, { env: { TZ: zone } });
  return output.trim();
}

test('an archive has the same bytes in every time zone', async () => {
  const [east, west] = await Promise.all(['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(packedIn));
  expect(east).toMatch(/^504b0304/);
  expect(west).toBe(east);
});

test('an archive has other bytes when a file becomes executable', async () => {
  const still = files.map((file) => ({ ...file, executable: false }));
  expect(await zipArchive(still)).not.toEqual(await zipArchive(files));
});
