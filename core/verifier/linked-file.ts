import { fileLimitBytes } from '#core/reading/index';

/** A file fetched from a link on a help desk's page. Its bytes come from a customer and have not been parsed. */
export interface LinkedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Why a linked file is missing: it is on another origin, is too large, or the site did not return a file. */
export type LinkedFileFault = 'elsewhere' | 'too-large' | 'failed';

/** The largest file that is fetched from a link: what the verifier reads of one file. */
export const maxLinkedFileBytes = fileLimitBytes;

/** In UTF-16 units. */
const maxNameLength = 200;

/**
 * Names a fetched file by its `Content-Disposition` (RFC 6266), else by the last segment of its address. Never returns
 * a path.
 * @param disposition the header as returned by `fetch`, one character per byte
 */
export function linkedFileName(disposition: string | null, address: string): string {
  return cleanName(nameIn(disposition ?? '')) ?? cleanName(lastSegment(address)) ?? 'file';
}

function nameIn(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']{0,40}'([^;\s]+)/iu.exec(disposition)?.[1];
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/iu.exec(disposition)?.[1];
  const bare = /;\s*filename\s*=\s*([^;"\s]+)/iu.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  return quoted === undefined
    ? bare && readAsUtf8(bare)
    : readAsUtf8(quoted.replace(/\\(.)/gu, '$1'));
}

function lastSegment(address: string): string {
  const { pathname } = new URL(address);
  return decoded(pathname.slice(pathname.lastIndexOf('/') + 1));
}

/** Decodes percent-encoded UTF-8; malformed text is read as Latin-1. */
function decoded(text: string): string {
  return readAsUtf8(
    text.replace(/%([\da-f]{2})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  );
}

/**
 * Decodes text whose characters are UTF-8 bytes, as many servers send names in raw UTF-8. Other text, such as Latin-1,
 * is returned unchanged.
 */
function readAsUtf8(text: string): string {
  if (!/[\u0080-\u00FF]/u.test(text) || /[\u{100}-\u{10FFFF}]/u.test(text)) return text;
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const read = new TextDecoder().decode(bytes);
  return read.includes('\uFFFD') ? text : read;
}

function cleanName(name: string | undefined): string | undefined {
  const last = name?.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = last
    ?.replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxNameLength);
  return clean === '' || clean === '.' || clean === '..' ? undefined : clean;
}
