/**
 * A text in which codes and licenses are searched: the source itself, or the result of undoing a transport encoding.
 *
 * Every index of `text` maps back to the source, because chips and highlights need positions there.
 */
export interface Reading {
  readonly text: string;
  /**
   * Whether the encoding that was undone was certainly there, rather than a coincidence such as `=20` at the beginning
   * of a value.
   */
  readonly certain: boolean;
  /** The transports that were undone, outermost first, and the number of places. */
  readonly undone: readonly { readonly id: TransportId; readonly count: number }[];
  /** Returns the start in the source of the character at an index, in UTF-16 units. */
  startOf(index: number): number;
  /** Returns the exclusive end in the source of the character at an index. */
  endOf(index: number): number;
}

/** A stretch of a text; `to` is exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Returns part of a reading, trimmed so that it begins and ends between words. */
export function partOf(reading: Reading, { from, to }: Stretch): Reading {
  const { text } = reading;
  const start = from === 0 ? 0 : from + Math.max(0, text.slice(from, to).search(/\s/));
  const end = to >= text.length ? text.length : text.slice(start, to).search(/\s\S*$/) + start;
  return {
    ...reading,
    text: text.slice(start, end),
    startOf: (index) => reading.startOf(index + start),
    endOf: (index) => reading.endOf(index + start),
  };
}

/** The encodings that a text may have gone through. */
export type TransportId =
  | 'mail-parts'
  | 'quoted-printable'
  | 'percent-encoding'
  | 'backslashes'
  | 'joined-strings'
  | 'html'
  | 'line-breaks'
  | 'invisible-characters'
  | 'look-alikes';

/** Returns the reading of the unchanged source. */
export function readingOf(text: string): Reading {
  return {
    text,
    certain: true,
    undone: [],
    startOf: (index) => index,
    endOf: (index) => index + 1,
  };
}

/** Collects replacements in a reading, from left to right, and makes the resulting reading. */
export class Undoing {
  readonly #before: Reading;
  readonly #id: TransportId | undefined;
  readonly #parts: string[] = [];
  /** The start in the new text of each replaced stretch. */
  readonly #starts: number[] = [];
  readonly #replaced: (Stretch & { readonly length: number })[] = [];
  #copied = 0;
  #length = 0;
  /** Set to false by a transport whose marks may occur in a text by chance. */
  certain = true;
  /** Set if the text shows that this transport was applied last: no other one is undone before it. */
  outermost = false;

  /** @param id the transport that is undone; omitted for changes that every text may have */
  constructor(before: Reading, id?: TransportId) {
    this.#before = before;
    this.#id = id;
  }

  /** Replaces a stretch of the old text. Stretches must be in order and must not overlap. */
  replace(from: number, to: number, by: string): void {
    if (from > this.#copied) {
      this.#parts.push(this.#before.text.slice(this.#copied, from));
      this.#length += from - this.#copied;
    }
    this.#starts.push(this.#length);
    this.#replaced.push({ from, to, length: by.length });
    this.#parts.push(by);
    this.#length += by.length;
    this.#copied = to;
  }

  /** Replaces each match of a pattern in the old text, except those for which `by` returns undefined. */
  replaceEach(pattern: RegExp, by: (found: RegExpExecArray) => string | undefined): void {
    for (const found of this.#before.text.matchAll(pattern)) {
      const text = by(found);
      if (text !== undefined) this.replace(found.index, found.index + found[0].length, text);
    }
  }

  /** Returns the stretches of the new text around the replacements, with `reach` characters on both sides. */
  around(reach: number): readonly Stretch[] {
    const stretches: { from: number; to: number }[] = [];
    for (const [at, start] of this.#starts.entries()) {
      const [from, to] = [
        Math.max(0, start - reach),
        start + (this.#replaced[at]?.length ?? 0) + reach,
      ];
      const last = stretches.at(-1);
      if (last !== undefined && from <= last.to) last.to = to;
      else stretches.push({ from, to });
    }
    return stretches;
  }

  /** Returns the resulting reading, or the old one if nothing was replaced. */
  done(): Reading {
    if (this.#starts.length === 0) return this.#before;
    const before = this.#before;
    const [starts, replaced] = [this.#starts, this.#replaced];
    this.#parts.push(before.text.slice(this.#copied));
    const trace = (index: number, isEnd: boolean): number => {
      const at = indexUpTo(starts, index);
      const start = starts[at] ?? 0;
      const { from, to, length } = replaced[at] ?? { from: 0, to: 0, length: 0 };
      const isInside = index < start + length;
      const there = isInside ? (isEnd ? to - 1 : from) : index - start - length + to;
      return isEnd ? before.endOf(there) : before.startOf(there);
    };
    return {
      text: this.#parts.join(''),
      certain: before.certain && this.certain,
      undone:
        this.#id === undefined
          ? before.undone
          : [...before.undone, { id: this.#id, count: starts.length }],
      startOf: (index) => trace(index, false),
      endOf: (index) => trace(index, true),
    };
  }
}

/** Returns the index of the last of ascending numbers that is not above a limit; -1 if all are above. */
export function indexUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
