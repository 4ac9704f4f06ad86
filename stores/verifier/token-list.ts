import { type Line, createLineSplitter } from '#core/text/line-splitter';

/** The largest file that is read as a list, in bytes. */
const maxListBytes = 32 * 1024 * 1024;

/** A longer line is handed over without its text, in bytes: no license is that long. */
const maxLineBytes = 96 * 1024;

/** A file with fewer documents is one license with its certificates, not a list. */
const minLines = 9;

/** A smaller file holds no list, in bytes: it is not even looked at. */
const minListBytes = 4096;

/** Tells whether a file is a list, with a token or a JSON object on each line. Reads its first 64 KiB. */
export async function isList(file: Blob): Promise<boolean> {
  if (file.size > maxListBytes || file.size < minListBytes) return false;
  const head = await file.slice(0, 64 * 1024).text();
  const lines = head.split('\n').map((line) => line.trim());
  // The last line may be cut off in the middle.
  if (file.size > 64 * 1024) lines.pop();
  const full = lines.filter((line) => line !== '');
  return full.length >= minLines && full.slice(0, 50).every(isDocumentLine);
}

function isDocumentLine(line: string): boolean {
  return (
    /^["']?[\w-]{8,}=*\.[\w-]{80,}=*(?:\.[\w-]{80,})?["']?[,;]?$/u.test(line) ||
    (line.startsWith('{') && line.replace(/,$/u, '').endsWith('}'))
  );
}

/** Reads the lines of a file that are not blank, one at a time: the file is streamed and never held whole. */
export async function* linesOf(file: Pick<Blob, 'stream'>): AsyncGenerator<Line> {
  const splitter = createLineSplitter(maxLineBytes);
  // `stream()` has no async iterator in every browser.
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    yield* splitter.push(value);
  }
  yield* splitter.end();
}
