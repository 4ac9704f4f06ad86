/** One line of a byte stream that is not blank. */
export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Where it stands, in bytes: `to` is exclusive and before the line feed. */
  readonly from: number;
  readonly to: number;
  /** UTF-8 decoded and trimmed; absent when the line is longer than the splitter's limit. */
  readonly text?: string;
}

/** Takes the bytes of a text piece by piece, cut anywhere, and gives the lines that are whole by then. */
export interface LineSplitter {
  push(bytes: Uint8Array): Line[];
  /** Gives the last line, which no line feed ends. */
  end(): Line[];
}

const lineFeed = 10;

/**
 * Splits UTF-8 bytes at line feeds. The lines do not depend on how the stream is cut, and no more than one unfinished line is
 * held in memory.
 * @param maxBytes of one line. The text of a longer one is given up and left out; the lines around it are not touched.
 *
 * @example
 * const splitter = createLineSplitter(96 * 1024);
 * for (const piece of pieces) for (const { number, text } of splitter.push(piece)) console.log(number, text);
 * for (const { number, text } of splitter.end()) console.log(number, text);
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  const decoder = new TextDecoder();
  /** The beginning of the line that has not ended yet, empty once it is too long. */
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

  /** Gives the lines of a stretch that ends with a line feed and begins after one. */
  function* wholeLines(bytes: Uint8Array): Generator<Line> {
    // Decoded at once where every byte is one character, as in tokens: far cheaper than line by line.
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
