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

/** Below this many documents, one on each line is a license with its certificates, not a list. */
const fewestLines = 9;

/**
 * Whether a file is a list: a token, or a JSON object, on each line. Looked at in its first 64 KiB.
 */
export async function isList(file: Blob): Promise<boolean> {
  if (file.size > listLimit || file.size < 100 * fewestLines) return false;
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
  const take = (bytes: Uint8Array, from: number): Line | undefined => {
    number += 1;
    const text = decoder.decode(bytes.subarray(0, lineLimit)).trim();
    return text === '' ? undefined : { number, from, to: from + bytes.length, text };
  };
  // `stream()` has no async iterator in every browser.
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const bytes = held.length === 0 ? value : joined(held, value);
    let from = 0;
    for (let at = bytes.indexOf(10, held.length); at >= 0; at = bytes.indexOf(10, from)) {
      const line = take(bytes.subarray(from, at), start + from);
      from = at + 1;
      if (line !== undefined) yield line;
    }
    held = bytes.slice(from);
    start += from;
  }
  const last = held.length === 0 ? undefined : take(held, start);
  if (last !== undefined) yield last;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
