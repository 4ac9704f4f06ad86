/** Holds one line of a byte stream; blank lines are left out. */
export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Its range in the stream, in bytes: `to` is exclusive and before the line feed. */
  readonly from: number;
  readonly to: number;
  /** UTF-8 decoded and trimmed; absent when the line is longer than the splitter's limit. */
  readonly text?: string;
}

/** Takes the bytes of a text in pieces, cut anywhere, and returns the complete lines. */
export interface LineSplitter {
  push(bytes: Uint8Array): Line[];
  /** Returns the last line when it has no line feed. */
  end(): Line[];
}

const lineFeed = 10;

/**
 * Splits UTF-8 bytes at line feeds, however the stream is cut. Holds at most one unfinished line in memory.
 * @param maxBytes of one line; a longer one is returned without its text
 *
 * @example
 * const splitter = createLineSplitter(96 * 1024);
 * for (const piece of pieces) for (const { number, text } of splitter.push(piece)) console.log(number, text);
 * for (const { number, text } of splitter.end()) console.log(number, text);
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  const decoder = new TextDecoder();
  /** The beginning of the unfinished line; empty once it is too long. */
  let held: Uint8Array[] = [];
  let heldLength = 0;
  let position = 0;
  let number = 0;

  function* linesOf(bytes: Uint8Array): Generator<Line> {
    let from = 0;
    const first = bytes.indexOf(lineFeed);
    if (first >= 0 && heldLength > 0) {
      hold(bytes.subarray(0, first));
      yield* heldLine();
      position += 1;
      from = first + 1;
    }
    const end = bytes.lastIndexOf(lineFeed) + 1;
    if (end > from) yield* wholeLines(bytes.subarray(from, end));
    hold(bytes.subarray(Math.max(from, end)));
  }

  function hold(bytes: Uint8Array): void {
    heldLength += bytes.length;
    if (heldLength > maxBytes) held = [];
    else if (bytes.length > 0) held.push(bytes.slice());
  }

  function* heldLine(): Generator<Line> {
    const from = position;
    position += heldLength;
    yield* line(from, position, () => decoder.decode(joined(held, heldLength)));
    held = [];
    heldLength = 0;
  }

  /** Returns the lines of bytes that begin after a line feed and end with one. */
  function* wholeLines(bytes: Uint8Array): Generator<Line> {
    // Decoding all lines at once is much faster where every byte is one character, as in tokens.
    const whole = decoder.decode(bytes);
    const isOneToOne = whole.length === bytes.length;
    for (let from = 0; from < bytes.length;) {
      const to = isOneToOne ? whole.indexOf('\n', from) : bytes.indexOf(lineFeed, from);
      const start = from;
      yield* line(position + from, position + to, () =>
        isOneToOne ? whole.slice(start, to) : decoder.decode(bytes.subarray(start, to)),
      );
      from = to + 1;
    }
    position += bytes.length;
  }

  function* line(from: number, to: number, read: () => string): Generator<Line> {
    number += 1;
    if (to - from > maxBytes) {
      yield { number, from, to };
      return;
    }
    const text = read().trim();
    if (text !== '') yield { number, from, to, text };
  }

  return {
    push: (bytes) => [...linesOf(bytes)],
    end: () => (heldLength > 0 ? [...heldLine()] : []),
  };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
