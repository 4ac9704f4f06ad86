import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';

import { workbookOf } from '#core/tables/workbook';

/** What a reader of files hands over: the first and the last bytes of one. */
function named(file: Uint8Array): string | undefined {
  return workbookOf(file.subarray(0, 4096), file.subarray(-4096));
}

/** Archives files whose first one is longer than what is looked at. */
function archive(...names: readonly string[]): Promise<Uint8Array> {
  const zip = new JSZip();
  const long = Array.from({ length: 3000 }, (_, at) => String(at * at)).join(';');
  for (const [at, name] of names.entries()) zip.file(name, at === 0 ? long : 'x');
  return zip.generateAsync({ type: 'uint8array' });
}

async function openDocument(kind: string): Promise<Uint8Array> {
  const zip = new JSZip();
  zip.file('mimetype', `application/vnd.oasis.opendocument.${kind}`, { compression: 'STORE' });
  zip.file('content.xml', '<x/>');
  return zip.generateAsync({ type: 'uint8array' });
}

const utf16 = (text: string): number[] =>
  Array.from(text).flatMap((letter) => [letter.charCodeAt(0), 0]);
const compound = (...streams: readonly string[]): Uint8Array =>
  Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...streams.flatMap(utf16)]);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a file that is no text', () => {
  test('is a workbook of Excel, wherever in the archive its members stand', async () => {
    expect(named(await archive('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml'))).toBe(
      'Excel',
    );
    expect(named(await archive('xl/worksheets/sheet1.xml', 'xl/workbook.xml'))).toBe('Excel');
  });

  test('is an old workbook of Excel, or one with a password', () => {
    expect(named(compound('Root Entry', 'Workbook'))).toBe('Excel');
    expect(named(compound('Root Entry', 'Book'))).toBe('Excel');
    expect(named(compound('EncryptedPackage'))).toBe('Excel');
  });

  test('is a spreadsheet of OpenDocument, or of Numbers', async () => {
    expect(named(await openDocument('spreadsheet'))).toBe('OpenDocument');
    expect(named(await archive('Index/Document.iwa', 'Metadata/Properties.plist'))).toBe('Numbers');
  });

  test('is a workbook in one file of XML', () => {
    const excel =
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">';
    expect(named(bytes(excel))).toBe('Excel');
    const flat =
      '<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet">';
    expect(named(bytes(flat))).toBe('OpenDocument');
  });

  test('is none of them otherwise', async () => {
    expect(named(await archive('word/document.xml'))).toBeUndefined();
    expect(named(await archive('notes.txt', 'my-xl/list.csv'))).toBeUndefined();
    expect(named(await openDocument('text'))).toBeUndefined();
    expect(named(compound('Root Entry', 'WordDocument'))).toBeUndefined();
    expect(named(bytes('PK;Code\n1;xl/workbook'))).toBeUndefined();
    expect(named(bytes('xl/workbook.xml;Index/a'))).toBeUndefined();
    expect(named(new Uint8Array())).toBeUndefined();
  });
});
