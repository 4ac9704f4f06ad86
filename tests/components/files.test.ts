import { expect, test } from 'vitest';

import { droppedFiles } from '#components/files';

const cannotOpen = new DOMException('It cannot be opened.', 'NotReadableError');

/** A file of a drop; without content, one that cannot be opened. */
function fileEntry(path: string, content?: string) {
  const name = path.split('/').at(-1) ?? '';
  return {
    isFile: true,
    isDirectory: false,
    name,
    fullPath: path,
    file(done: (file: File) => void, failed: (error: unknown) => void) {
      if (content === undefined) failed(cannotOpen);
      else done(new File([content], name));
    },
  };
}

/** A folder of a drop, which hands its entries out one at a time; it fails at the first that is `undefined`. */
function folderEntry(path: string, entries: readonly (object | undefined)[]) {
  return {
    isFile: false,
    isDirectory: true,
    name: path.split('/').at(-1) ?? '',
    fullPath: path,
    createReader() {
      let at = 0;
      return {
        readEntries(done: (some: unknown[]) => void, failed: (error: unknown) => void) {
          if (at === entries.length) {
            done([]);
            return;
          }
          const entry = entries[at++];
          if (entry === undefined) failed(cannotOpen);
          else done([entry]);
        },
      };
    },
  };
}

async function dropped(...entries: readonly object[]): Promise<[string, number][]> {
  const items = entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }));
  const { files } = await droppedFiles({ items, files: [] } as unknown as DataTransfer);
  return files.map(({ name, file }) => [name, file.size]);
}

test('the files of a folder and of the folders in it are named by their path', async () => {
  const inner = folderEntry('/all/öld #1', [fileEntry('/all/öld #1/b ?.lic', 'bb')]);
  expect(await dropped(folderEntry('/all', [fileEntry('/all/a.lic', 'a'), inner]))).toEqual([
    ['all/a.lic', 1],
    ['all/öld #1/b ?.lic', 2],
  ]);
});

test('what cannot be opened has a row: a file, a folder, the rest of a folder', async () => {
  expect(
    await dropped(
      fileEntry('/a.lic'),
      folderEntry('/all', [
        folderEntry('/all/locked', [undefined]),
        fileEntry('/all/b.lic', 'b'),
        undefined,
      ]),
    ),
  ).toEqual([
    ['a.lic', 0],
    ['all/locked', 0],
    ['all/b.lic', 1],
    ['all', 0],
  ]);
});
