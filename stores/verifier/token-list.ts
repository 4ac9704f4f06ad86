/** Where one line of a long file stands, in bytes: its text is read again when it is opened. */
export interface Line {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The largest file that is read as a list, in bytes. */
const listLimit = 32 * 1024 * 1024;

/** A line longer than this holds no license; only its beginning is looked at. In bytes. */
const lineLimit = 96 * 1024;

/** What may wait for its line break, in bytes: a file without any is not gathered whole. */
const mostHeld = 1024 * 1024;

/** Below this many documents, one on each line is a license with its certificates, not a list. */
const fewestLines = 9;

/** So many lines do not fit into less, in bytes: the common file is not even looked at. */
const leastSize = 4096;

/**
 * Whether a file is a list: a token, or a JSON object, on each line. Looked at in its first 64 KiB.
 */
export async function isList(file: Blob): Promise<boolean> {
  if (file.size > listLimit || file.size < leastSize) return false;
  const head = await file.slice(0, 64 * 1024).text();
  const lines = head.split('\n').map((line) => line.trim());
  // The last line may be cut off in the middle.
  if (file.size > 64 * 1024) lines.pop();
  const full = lines.filter((line) => line !== '');
  return full.length >= fewestLines && full.slice(0, 50).every(isDocumentLine);
}

function isDocumentLine(line: string): boolean {
  return (
    /^["']?[\w-]{8,}=*\.[\w-]{80,}=*(?:\.[\w-]{80,})?["']?[,;]?$/u.test(line) ||
    (line.startsWith('{') && line.replace(/,$/u, '').endsWith('}'))
  );
}

/** The lines of a file that are not blank, one at a time: the file is streamed and never held whole. */
export async function* linesOf(file: Blob): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let held: Uint8Array<ArrayBuffer> = new Uint8Array();
  let start = 0;
  let number = 0;
  // `stream()` has no async iterator in every browser.
  const reader = file.stream().getReader();
  for (let done = false; !done;) {
    const read = await reader.read();
    done = read.done;
    const bytes = read.value === undefined ? held : joined(held, read.value);
    // Up to the last line break; what follows it waits for the next piece.
    const end = done || bytes.length > mostHeld ? bytes.length : bytes.lastIndexOf(10) + 1;
    for (const { from, to, text } of linesIn(bytes.subarray(0, end), decoder)) {
      number += 1;
      if (text !== '') yield { number, from: start + from, to: start + to, text };
    }
    held = bytes.slice(end);
    start += end;
  }
}

/** The lines of whole bytes, trimmed, with the bytes they stand at. */
function* linesIn(
  bytes: Uint8Array,
  decoder: TextDecoder,
): Generator<{ from: number; to: number; text: string }> {
  // Decoded at once where every byte is a letter, as in tokens: far cheaper than line by line.
  const whole = decoder.decode(bytes);
  const ascii = whole.length === bytes.length;
  for (let from = 0; from < bytes.length;) {
    const at = ascii ? whole.indexOf('\n', from) : bytes.indexOf(10, from);
    const to = at < 0 ? bytes.length : at;
    const cut = Math.min(to, from + lineLimit);
    const text = ascii ? whole.slice(from, cut) : decoder.decode(bytes.subarray(from, cut));
    yield { from, to, text: text.trim() };
    from = to + 1;
  }
}

function joined(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
