import { createTextLines, strongerOf, type TextLines } from '#components/chips/text-lines';
import type { CodeTest, TextPiece } from '#core/chips/index';

/** Neighbouring text nodes in reading order, with the text that was read. */
export interface TextRun {
  readonly nodes: readonly Text[];
  readonly pieces: readonly TextPiece[];
  /** The last node that may hold a part of a code. */
  readonly lastCandidate: Text;
}

/** UTF-16 units before and after: enough for a label before a code that says what the digits are. */
const contextLength = 120;
/** UTF-16 units of a run, after which no further node is added. */
const maxRunLength = 12_000;
/** The most nodes on either side. */
const maxNodes = 300;
/** The most consecutive nodes without words, so that one reading stays short. */
const maxPassed = 2000;
/** The most UTF-16 units of a text node that are read. */
export const maxTextLength = 32_768;

/** Returns the text of a node, cut off at {@link maxTextLength}. */
export function textOf(node: Text): string {
  const { data } = node;
  return data.length > maxTextLength ? data.slice(0, maxTextLength) : data;
}

/**
 * Collects the text around a node that may contain a part of a code: some text before it, and text after it until no
 * such parts follow.
 * @param mayHoldCode which text nodes count
 */
export function textRunAround(candidate: Text, mayHoldCode: CodeTest): TextRun {
  const lines = createTextLines();
  const walker = document.createTreeWalker(
    candidate.getRootNode(),
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) =>
      node instanceof Element && lines.isHidden(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  );
  const before = neighbours(
    lines,
    walker,
    candidate,
    'previousNode',
    (length) => length < contextLength,
  );
  let sinceCandidate = 0;
  let total = textOf(candidate).length;
  let lastCandidate = candidate;
  const after = neighbours(lines, walker, candidate, 'nextNode', (_, text) => {
    if (text !== undefined) {
      const data = textOf(text);
      total += data.length;
      if (mayHoldCode(data)) {
        sinceCandidate = 0;
        lastCandidate = text;
      } else sinceCandidate += data.length;
    }
    return sinceCandidate < contextLength && total < maxRunLength;
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
  /** What the layout puts between this node and the next one towards the candidate. */
  readonly joint: TextPiece['joint'];
}

/**
 * Walks to the text nodes on one side, without those that are not displayed.
 * @param goOn called with the length so far, before the first node and after each
 */
function neighbours(
  { jointAt, jointBetween }: TextLines,
  walker: TreeWalker,
  from: Text,
  step: 'previousNode' | 'nextNode',
  goOn: (length: number, last?: Text) => boolean,
): Neighbour[] {
  const found: Neighbour[] = [];
  let length = 0;
  let last = from;
  let joint: TextPiece['joint'] = '';
  let passed = 0;
  walker.currentNode = from;
  while (goOn(length) && found.length < maxNodes && passed < maxPassed) {
    const node: Node | null = step === 'nextNode' ? walker.nextNode() : walker.previousNode();
    if (node === null) break;
    passed += 1;
    if (!(node instanceof Text)) {
      joint = strongerOf(joint, jointAt(node as Element));
      continue;
    }
    // White space between blocks is not a line.
    if (!/\S/.test(node.data)) {
      joint ||= ' ';
      continue;
    }
    passed = 0;
    found.push({ text: node, joint: strongerOf(joint, jointBetween(node, last)) });
    length += node.data.length;
    last = node;
    joint = '';
    if (!goOn(length, node)) break;
  }
  return found;
}
