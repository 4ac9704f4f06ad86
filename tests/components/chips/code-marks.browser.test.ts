import { afterEach, expect, test } from 'vitest';

import { code, showPage } from '#tests/components/chips/ticket-page';
import {
  createMarks,
  type Mark,
  type Marks,
  maxMarks,
  trackNearMarks,
} from '#components/chips/code-marks';
import type { TextRun } from '#components/chips/text-run';
import { type CodePosition, type TextPiece, findCodePositions } from '#core/chips/index';

interface Recorded {
  readonly marks: Marks;
  readonly added: Mark[];
  readonly removed: Mark[];
}

const find = (pieces: readonly TextPiece[]): CodePosition[] => findCodePositions(pieces, []);

function record(isTicketText: (text: Text) => boolean = () => true): Recorded {
  const added: Mark[] = [];
  const removed: Mark[] = [];
  const marks = createMarks(
    isTicketText,
    (mark) => added.push(mark),
    (mark) => removed.push(mark),
  );
  return { marks, added, removed };
}

function runOf(nodes: readonly Text[], joint: '' | '\n' = '\n'): TextRun {
  const lastCandidate = nodes.at(-1);
  if (lastCandidate === undefined) throw new Error('a run holds a node');
  return { nodes, pieces: nodes.map(({ data }) => ({ text: data, joint })), lastCandidate };
}

afterEach(() => {
  document.body.replaceChildren();
});

test('a mark says where its code begins and ends', () => {
  const nodes = showPage(`<p>Code <b>${code.slice(0, 12)}</b><i>${code.slice(12)}!</i></p>`);
  const { marks, added } = record();
  expect(marks.update(runOf(nodes, ''), find)).toBe(true);
  expect(added).toEqual([
    {
      code,
      from: nodes[1],
      fromOffset: 0,
      head: code.slice(0, 12),
      to: nodes[2],
      toOffset: 24,
      tail: code.slice(12),
    },
  ]);
});

test('a text that is read again keeps its marks', () => {
  const run = runOf(showPage(`<p>${code}</p>`));
  const { marks, added, removed } = record();
  marks.update(run, find);
  marks.update(run, find);
  expect([added.length, removed.length]).toEqual([1, 0]);
});

test('a code outside the ticket is not marked', () => {
  const nodes = showPage(`<p>${code}</p><p>${code}</p>`);
  const { marks, added } = record((text) => text === nodes[1]);
  marks.update(runOf(nodes), find);
  expect(added.map(({ from }) => from)).toEqual([nodes[1]]);
});

test('a mark is dropped when its text changes or leaves the page', () => {
  const nodes = showPage(`<p>${code}</p><p>${code}</p><p>${code}</p>`);
  const { marks, added, removed } = record();
  marks.update(runOf(nodes), find);
  nodes[0]?.insertData(0, 'My code: ');
  nodes[1]?.remove();
  marks.prune();
  expect(removed).toEqual(added.slice(0, 2));
  expect([...marks.all]).toEqual(added.slice(2));
});

test('text after a code may change', () => {
  const nodes = showPage(`<p>${code}</p>`);
  const { marks, removed } = record();
  marks.update(runOf(nodes), find);
  nodes[0]?.appendData(', thanks');
  marks.prune();
  expect(removed).toEqual([]);
});

test('a code that a shorter run no longer finds keeps its mark while it is unchanged', () => {
  const nodes = showPage(`<p>${code.slice(0, 24)}<b>${code.slice(24)}</b></p>`);
  const { marks, added, removed } = record();
  marks.update(runOf(nodes, ''), find);
  marks.update(runOf(nodes.slice(0, 1)), find);
  expect([added.length, removed.length]).toEqual([1, 0]);
});

test('a document has at most so many marks', () => {
  const codes = Array.from(
    { length: maxMarks + 1 },
    (_, index) => code.slice(0, -4) + (0x1000 + index).toString(16),
  );
  const nodes = showPage(codes.map((one) => `<p>${one}</p>`).join(''));
  const { marks, added } = record();
  const isRoom = nodes.map((node) => marks.update(runOf([node]), find));
  expect(added).toHaveLength(maxMarks);
  expect(isRoom.indexOf(false)).toBe(maxMarks - 1);
});

test('the codes of one paragraph come near in reading order', async () => {
  const three = [1, 2, 3].map((last) => `${code.slice(0, -1)}${String(last)}`);
  const run = runOf(showPage(`<p>${three.join(' and ')}</p>`));
  const near = trackNearMarks({ changed: () => undefined, left: () => undefined });
  const marks = createMarks(() => true, near.add, near.remove);
  marks.update(run, find);
  await expect.poll(() => near.marks.size).toBe(3);
  expect([...near.marks].map((mark) => mark.code)).toEqual(three);
  near.end();
});

test('a code that comes into a paragraph in view is near at once', async () => {
  const [node] = showPage(`<p>${code}</p>`);
  if (node === undefined) throw new Error('the page has a text');
  const near = trackNearMarks({ changed: () => undefined, left: () => undefined });
  const marks = createMarks(() => true, near.add, near.remove);
  marks.update(runOf([node]), find);
  await expect.poll(() => near.marks.size).toBe(1);
  node.data += ` and ${code.slice(0, -1)}5`;
  marks.update(runOf([node]), find);
  expect(near.marks.size).toBe(2);
  near.end();
});
