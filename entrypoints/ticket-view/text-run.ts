import { mayHoldCode, type TextPiece } from '#core/ticket/code-positions';
import type { TextRules } from '#entrypoints/ticket-view/text-rules';

/** Text nodes in reading order, with their text as it was read. */
export interface TextRun {
  readonly nodes: readonly Text[];
  readonly pieces: readonly TextPiece[];
  /** The last one that may hold a part of a code; after it, the passage holds nothing but what follows such parts. */
  readonly lastCandidate: Text;
}

/** UTF-16 units before and after: enough for a name in front of a code, and for what makes the same digits something else. */
const context = 120;
const longestPassage = 12_000;
const mostNodes = 300;
/** Of one text node; the rest of a longer one is not looked through. */
export const longestText = 32_768;

export function textOf(node: Text): string {
  const { data } = node;
  return data.length > longestText ? data.slice(0, longestText) : data;
}

/** What stands around a text node that may hold a part of a code: some text before it, and on until no more such parts follow. */
export function textRunAround(candidate: Text, least: number, rules: TextRules): TextRun {
  const walker = document.createTreeWalker(
    candidate.getRootNode(),
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
  );
  const before = neighbours(rules, walker, candidate, 'previousNode', (length) => length < context);
  let since = 0;
  let total = textOf(candidate).length;
  let lastCandidate = candidate;
  const after = neighbours(rules, walker, candidate, 'nextNode', (_, text) => {
    if (text !== undefined) {
      const data = textOf(text);
      total += data.length;
      if (mayHoldCode(data, least)) {
        since = 0;
        lastCandidate = text;
      } else since += data.length;
    }
    return since < context && total < longestPassage;
  });

  const nodes = [
    ...before.map(({ text }) => text).reverse(),
    candidate,
    ...after.map(({ text }) => text),
  ];
  const joints = [
    '' as const,
    ...before.map(({ joint }) => joint).reverse(),
    ...after.map(({ joint }) => joint),
  ];
  return {
    nodes,
    pieces: nodes.map((node, index) => ({ text: textOf(node), joint: joints[index] ?? '' })),
    lastCandidate,
  };
}

interface Neighbour {
  readonly text: Text;
  /** Between it and the one nearer to the candidate. */
  readonly joint: TextPiece['joint'];
}

/** @param goOn asked with the length so far, before the first and after each */
function neighbours(
  { isInline, blockOf }: TextRules,
  walker: TreeWalker,
  from: Text,
  step: 'previousNode' | 'nextNode',
  goOn: (length: number, last?: Text) => boolean,
): Neighbour[] {
  const found: Neighbour[] = [];
  let length = 0;
  let last = from;
  let joint: TextPiece['joint'] = '';
  walker.currentNode = from;
  while (goOn(length) && found.length < mostNodes) {
    const node: Node | null = step === 'nextNode' ? walker.nextNode() : walker.previousNode();
    if (node === null) break;
    if (!(node instanceof Text)) {
      if (!isInline(node as Element)) joint = '\n';
      continue;
    }
    if (/^(?:SCRIPT|STYLE)$/.test(node.parentElement?.tagName ?? '')) continue;
    // White space between blocks is no line of its own.
    if (!/\S/.test(node.data)) {
      joint ||= ' ';
      continue;
    }
    if (blockOf(node) !== blockOf(last)) joint = '\n';
    found.push({ text: node, joint });
    length += node.data.length;
    last = node;
    joint = '';
    if (!goOn(length, node)) break;
  }
  return found;
}
