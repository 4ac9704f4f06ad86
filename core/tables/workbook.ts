/** The program of a spreadsheet file that is not plain text. */
export type Workbook = 'Excel' | 'OpenDocument' | 'Numbers';

/** The beginnings of the names in an archive, and the marks of a workbook that is a single XML file. */
const members: readonly (readonly [Workbook, RegExp])[] = [
  ['Excel', /^xl\//],
  ['OpenDocument', /^mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/],
  ['Numbers', /^Index(?:\/|\.zip)/],
];
const xml: readonly (readonly [Workbook, RegExp])[] = [
  ['Excel', /^[^]{0,300}<Workbook[^>]{1,200}urn:schemas-microsoft-com:office:spreadsheet/],
  ['OpenDocument', /office:mimetype="application\/vnd\.oasis\.opendocument\.spreadsheet/],
];
const oldWorkbook = /(?:W\0o\0r\0k\0b|B)\0?o\0o\0k\0|E\0n\0c\0r\0y\0p\0t\0e\0d\0P/;

/**
 * Recognises a spreadsheet file in such a format by its signature, without unpacking it.
 * @param head its first bytes, a few thousand
 * @param tail its last bytes, where an archive lists its members
 */
export function workbookOf(head: Uint8Array, tail: Uint8Array): Workbook | undefined {
  const decoder = new TextDecoder('windows-1252');
  const first = decoder.decode(head);
  const text = first + decoder.decode(tail);
  if (first.startsWith('ÐÏ\u0011à')) return oldWorkbook.test(text) ? 'Excel' : undefined;
  if (!first.startsWith('PK\u0003\u0004')) return xml.find(([, sign]) => sign.test(first))?.[0];
  const names = text.split('PK').map(nameIn);
  return members.find(([, sign]) => names.some((name) => sign.test(name)))?.[0];
}

/**
 * Returns a member's name and what follows it, from its entry in the directory at the end of an archive or from its
 * local header.
 */
function nameIn(entry: string): string {
  return entry.slice(entry.startsWith('\u0001') ? 44 : 28);
}
