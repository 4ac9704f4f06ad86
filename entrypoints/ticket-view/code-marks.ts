import { canonicalCode } from '#core/check/same-code';
import { type CodePosition, findCodePositions } from '#core/ticket/code-positions';
import type { TextRun } from '#entrypoints/ticket-view/text-run';

/** A code where it stands in the page. */
export interface Mark {
  /** In the spelling it was first seen in on this page: every spelling of one code shares one answer. */
  readonly code: string;
  readonly from: Text;
  readonly fromOffset: number;
  readonly to: Text;
  readonly toOffset: number;
  /** What must still stand at the beginning and at the end, or the mark is void. */
  readonly head: string;
  readonly tail: string;
}

/** A page that shows more codes than this floods us: the rest stay without a chip. */
export const maxMarks = 400;

export interface Marks {
  readonly all: ReadonlySet<Mark>;
  /** Puts the passage's codes in place of what was known of its nodes. `false` when there is no room for more. */
  read(passage: TextRun, patterns: readonly string[]): boolean;
  /** Lets go of what no longer stands in the page as it did. */
  prune(): void;
}

/**
 * @param isTicketText what is not ticket text may be read along, but nothing in it is marked
 * @param added and `gone` are told of each mark
 */
export function createMarks(
  isTicketText: (text: Text) => boolean,
  added: (mark: Mark) => void,
  gone: (mark: Mark) => void,
): Marks {
  const all = new Set<Mark>();
  const byNode = new WeakMap<Text, Set<Mark>>();
  const firstSpellings = new Map<string, string>();

  function drop(mark: Mark): void {
    all.delete(mark);
    byNode.get(mark.from)?.delete(mark);
    gone(mark);
  }

  return {
    all,

    read({ nodes, pieces }, patterns) {
      const present = new Set(nodes.flatMap((node) => [...(byNode.get(node) ?? [])]));
      for (const place of findCodePositions(pieces, patterns)) {
        const name = canonicalCode(place.code);
        const code = firstSpellings.get(name) ?? place.code;
        const mark = markAt({ ...place, code }, nodes);
        if (mark === undefined) continue;
        const known = [...present].find((one) => isSame(one, mark));
        if (known !== undefined) present.delete(known);
        else if (all.size < maxMarks && isTicketText(mark.from)) {
          all.add(mark);
          firstSpellings.set(name, code);
          const here = byNode.get(mark.from) ?? new Set();
          byNode.set(mark.from, here.add(mark));
          added(mark);
        }
      }
      // A code at the edge may belong to a passage that reaches further.
      for (const mark of present) if (!stands(mark)) drop(mark);
      return all.size < maxMarks;
    },

    prune() {
      for (const mark of all) if (!stands(mark)) drop(mark);
    },
  };
}

function markAt({ code, start, end }: CodePosition, nodes: readonly Text[]): Mark | undefined {
  const from = nodes[start.piece];
  const to = nodes[end.piece];
  if (from === undefined || to === undefined) return undefined;
  const isWhole = from === to;
  return {
    code,
    from,
    fromOffset: start.offset,
    to,
    toOffset: end.offset,
    head: from.data.slice(start.offset, isWhole ? end.offset : undefined),
    tail: isWhole ? '' : to.data.slice(0, end.offset),
  };
}

function isSame(one: Mark, other: Mark): boolean {
  return (
    one.code === other.code &&
    one.from === other.from &&
    one.fromOffset === other.fromOffset &&
    one.to === other.to &&
    one.toOffset === other.toOffset
  );
}

function stands({ from, fromOffset, head, to, tail }: Mark): boolean {
  return (
    from.isConnected &&
    to.isConnected &&
    from.data.startsWith(head, fromOffset) &&
    to.data.startsWith(tail)
  );
}
