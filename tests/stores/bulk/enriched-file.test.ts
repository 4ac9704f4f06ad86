import { expect, test } from 'vitest';

import { enrichFile } from '#stores/bulk/enriched-file';
import { readPieces, readSample } from '#stores/bulk/text-source';
import { code } from '#tests/stores/check/samples';

const latin = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const rows = Array.from({ length: 1500 }, () => `${code},nobody,nothing\r\n`).join('');

/** Returns what comes back of a file with the verdict "checked" on each row, byte by byte as Windows-1252. */
async function enriched(file: Blob): Promise<string> {
  const { content, isUtf8Instead } = await enrichFile(
    { file, layout: { delimiter: ',', column: 0, hasHeadings: false, patterns: [] } },
    {
      headings: ['Verdict'],
      codeHeading: 'Code',
      cellsFor: () => ['checked'],
      masked: false,
      safe: false,
    },
  );
  expect(isUtf8Instead).toBe(false);
  const bytes = new Uint8Array(await new Blob([...content]).arrayBuffer());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

test('a name in Windows-1252 comes back as it was, wherever in the file it stands', async () => {
  const last = `${code},Ren\xe9e M\xfcller,x\r\n`;
  for (const text of [rows + last, last, `${code},Ren\xe9\r\n`]) {
    const back = await enriched(new Blob([latin(text)]));
    expect(back).toContain(text.slice(text.lastIndexOf(code)).trimEnd());
    expect(back.endsWith(',checked\r\n')).toBe(true);
  }
});

test('a file of UTF-8 whose first letter beyond ASCII comes late is read as UTF-8', async () => {
  const file = new Blob([rows, `${code},Zoë Ωμέγα,x\n`]);
  let read = await readSample(file);
  expect(read.startsWith(code)).toBe(true);
  read = '';
  for await (const { text } of readPieces(file)) read += text;
  expect(read).toBe(await file.text());
});
