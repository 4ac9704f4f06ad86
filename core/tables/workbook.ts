/** The program of a spreadsheet format that is not plain text. */
export type Workbook = 'Excel' | 'OpenDocument' | 'Numbers';

/** How the members of an archive begin, and what a workbook that is one file of XML says of itself. */
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
 * Tells whether a file is a spreadsheet in such a format, by its signature; nothing is unpacked.
 * @param head its first bytes, some thousand
 * @param tail its last ones, where an archive lists its members
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
 * Returns a member's name, and what follows it, from its entry in the list at an archive's end or from before its
 * bytes.
 */
function nameIn(entry: string): string {
  return entry.slice(entry.startsWith('\u0001') ? 44 : 28);
}
