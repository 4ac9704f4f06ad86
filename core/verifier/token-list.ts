import type { ListLines, SliceableFile } from '#core/verifier/verifier-request';

/** The largest file that is read as a list, in bytes. */
const maxListBytes = 32 * 1024 * 1024;

/** A smaller file holds no list, in bytes: it is not even looked at. */
const minListBytes = 4096;

/** A file with fewer documents is one license with its certificates, not a list. */
const minLines = 9;

/** How much of a file tells whether it is a list, in bytes. */
const headBytes = 64 * 1024;

const lineFeed = 10;
const space = 32;

/**
 * Finds the lines of a file with a token or a JSON object on each.
 * @returns undefined for any other file, of which no more than the first 64 KiB is read
 * @throws what reading throws when the file is gone
 */
export async function findLines(file: SliceableFile): Promise<ListLines | undefined> {
  if (file.size > maxListBytes || file.size < minListBytes) return undefined;
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (!isHeadOfList(new TextDecoder().decode(head), file.size > headBytes)) return undefined;
  return linesOf(new Uint8Array(await file.arrayBuffer()));
}

/** @param isCut whether the last line may be cut off in the middle */
function isHeadOfList(head: string, isCut: boolean): boolean {
  const lines = head.split('\n').map((line) => line.trim());
  if (isCut) lines.pop();
  const full = lines.filter((line) => line !== '');
  return full.length >= minLines && full.slice(0, 50).every(isDocumentLine);
}

function isDocumentLine(line: string): boolean {
  return (
    /^["']?[\w-]{8,}=*\.[\w-]{80,}=*(?:\.[\w-]{80,})?["']?[,;]?$/u.test(line) ||
    (line.startsWith('{') && line.replace(/,$/u, '').endsWith('}'))
  );
}

function linesOf(bytes: Uint8Array): ListLines {
  const places: number[] = [];
  let number = 0;
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(lineFeed, from);
    const to = found < 0 ? bytes.length : found;
    number += 1;
    if (bytes.subarray(from, to).some((byte) => byte > space)) places.push(number, from, to);
    from = to + 1;
  }
  return { count: places.length / 3, places: Uint32Array.from(places) };
}
