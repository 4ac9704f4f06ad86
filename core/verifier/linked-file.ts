import { fileLimitBytes } from '#core/reading/index';

/** A file that a link on a help desk's page led to. Its bytes are a customer's; nothing has read them yet. */
export interface LinkedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Why a linked file is not here: it lies on another origin, is larger than the limit, or the site gave no file. */
export type LinkedFileFault = 'elsewhere' | 'too-large' | 'failed';

/** Limits what is fetched from a link: as much as the verifier reads of one file. */
export const maxLinkedFileBytes = fileLimitBytes;

/** In UTF-16 units. */
const maxNameLength = 200;

/**
 * Names a fetched file by its `Content-Disposition` (RFC 6266), else by the last segment of its address. Never returns
 * a path.
 * @param disposition the header as `fetch` gives it, one character for each byte
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

/** Decodes percent-encoded UTF-8; what is malformed is read as Latin-1. */
function decoded(text: string): string {
  return readAsUtf8(
    text.replace(/%([\da-f]{2})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  );
}

/**
 * Reads one byte from each character, as many servers send names in raw UTF-8. Other text, as in Latin-1, stays as it
 * is.
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
