import { ownBytes, textOfUtf8, utf8 } from '#core/license/encoding/bytes';
import type { TextRepair } from '#core/license/extract/repair';
import { fileLimitBytes, type SourceFault } from '#core/license/encoding/source-fault';
import { fail, type Result, succeed } from '#core/result';

export interface DecodedSource {
  readonly text: string;
  readonly repairs: readonly TextRepair[];
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Decodes the text of a file or of what was pasted. What is plainly no text is a fault that names what it is. */
export function decodeSource(source: string | Uint8Array): Result<DecodedSource, SourceFault> {
  const bytes = typeof source === 'string' ? sizeOf(source) : source.length;
  if (bytes > fileLimitBytes) return fail({ kind: 'too-large', limitBytes: fileLimitBytes });
  const decoded = typeof source === 'string' ? textSource(source) : decodeBytes(source);
  return decoded.ok && decoded.value.text.trim() === '' ? fail({ kind: 'empty' }) : decoded;
}

function sizeOf(text: string): number {
  const surelyWithin = text.length * 3 <= fileLimitBytes;
  return surelyWithin || text.length > fileLimitBytes ? text.length : utf8(text).length;
}

function textSource(text: string): Result<DecodedSource, SourceFault> {
  if (text.includes('\0')) return fail({ kind: 'binary' });
  return text.startsWith('\uFEFF') ? marked(text.slice(1)) : succeed({ text, repairs: [] });
}

function marked(
  text: string,
  more: readonly TextRepair[] = [],
): Result<DecodedSource, SourceFault> {
  return succeed({ text, repairs: [{ id: 'byte-order-mark', count: 1 }, ...more] });
}

function decodeBytes(bytes: Uint8Array): Result<DecodedSource, SourceFault> {
  const known = kindByMagic(bytes);
  if (known !== undefined) return fail({ kind: known });
  const encoding = detectEncoding(bytes);
  if (encoding !== 'utf-8') return decodeUtf16(bytes, encoding);
  if (bytes.includes(0) || manyControls(bytes)) return fail({ kind: 'binary' });
  const text = textOfUtf8(bytes);
  if (text === undefined) {
    const latin = new TextDecoder('windows-1252').decode(ownBytes(bytes));
    return succeed({ text: latin, repairs: [{ id: 'not-utf-8', count: 1 }] });
  }
  return text.startsWith('\uFEFF') ? marked(text.slice(1)) : succeed({ text, repairs: [] });
}

function decodeUtf16(bytes: Uint8Array, encoding: Encoding): Result<DecodedSource, SourceFault> {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(ownBytes(bytes));
  if (text.includes('\0')) return fail({ kind: 'binary' });
  const wide: TextRepair = { id: 'utf-16', count: 1 };
  return text.startsWith('\uFEFF')
    ? marked(text.slice(1), [wide])
    : succeed({ text, repairs: [wide] });
}

/** Detects UTF-16 by its byte order mark or, without one, by the zero bytes that ASCII has in it. */
function detectEncoding(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 512);
  if (sample.length < 8 || bytes.length % 2 !== 0) return 'utf-8';
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const most = sample.length * 0.4;
  if ((zeros[1] ?? 0) > most) return 'utf-16le';
  return (zeros[0] ?? 0) > most ? 'utf-16be' : 'utf-8';
}

function manyControls(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 4096);
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127);
  return controls.length > 2 && controls.length * 20 > sample.length;
}

const magicBytes: readonly (readonly [
  SourceFault['kind'] & ('zip' | 'image' | 'pdf' | 'office'),
  string,
])[] = [
  ['zip', '504b0506'],
  ['zip', '1f8b08'],
  ['zip', '377abcaf271c'],
  ['zip', '526172211a07'],
  ['zip', 'fd377a585a00'],
  ['zip', '28b52ffd'],
  ['image', '89504e470d0a1a0a'],
  ['image', 'ffd8ff'],
  ['image', '474946383761'],
  ['image', '474946383961'],
  ['image', '49492a00'],
  ['image', '4d4d002a'],
  ['pdf', '255044462d'],
  ['office', 'd0cf11e0a1b11ae1'],
  ['office', '7b5c727466'],
];

function kindByMagic(bytes: Uint8Array): 'zip' | 'image' | 'pdf' | 'office' | undefined {
  const head = latin1(bytes.subarray(0, 4096));
  if (head.startsWith('PK\u0003\u0004')) {
    return /word\/|xl\/|ppt\/|\[Content_Types\]|mimetypeapplication\//.test(head)
      ? 'office'
      : 'zip';
  }
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image';
  if (/^....ftyp(?:heic|heix|mif1|avif)/s.test(head)) return 'image';
  if (/^BM[\s\S]{4}\0\0\0\0/.test(head)) return 'image';
  return magics.find(({ begins }) => head.startsWith(begins))?.kind;
}

const magics = magicBytes.map(([kind, hex]) => ({ kind, begins: latin1OfHex(hex) }));

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function latin1OfHex(hex: string): string {
  return (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(Number(`0x${pair}`))).join('');
}
