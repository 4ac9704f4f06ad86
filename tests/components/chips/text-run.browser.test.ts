import { afterEach, expect, test } from 'vitest';

import { addShadowRoot, code, showPage, textNodesIn } from '#tests/components/chips/ticket-page';
import { createCodeTest } from '#core/chips/index';
import { maxTextLength, textOf, textRunAround, type TextRun } from '#components/chips/text-run';

/** The text run around the first node that begins with the code. */
function runAround(texts: readonly Text[]): TextRun {
  const candidate = texts.find(({ data }) => data.startsWith(code));
  if (candidate === undefined) throw new Error('no code on the page');
  return textRunAround(candidate, createCodeTest([]));
}
const piecesOf = (html: string): [joint: string, text: string][] =>
  runAround(showPage(html)).pieces.map(({ joint, text }) => [joint, text]);

/** A paragraph of 50 UTF-16 units. */
const words = `<p>${'word '.repeat(10)}</p>`;

afterEach(() => {
  document.body.replaceChildren();
});

test('nodes of one line follow each other without anything between them', () => {
  expect(piecesOf(`<p>My <b>code</b>: <i>${code}</i>!</p>`)).toEqual([
    ['', 'My '],
    ['', 'code'],
    ['', ': '],
    ['', code],
    ['', '!'],
  ]);
});

test('white space between elements of a line is one space', () => {
  expect(piecesOf(`<p><b>Code</b>\n  <i>${code}</i></p>`)).toEqual([
    ['', 'Code'],
    [' ', code],
  ]);
});

test('blocks and line breaks begin a new line', () => {
  expect(piecesOf(`<p>Code</p> <p>${code}<br>Thanks</p>Bye`)).toEqual([
    ['', 'Code'],
    ['\n', code],
    ['\n', 'Thanks'],
    ['\n', 'Bye'],
  ]);
});

test.each(['block', 'flex', 'grid', 'table-cell', 'list-item'])(
  'an element displayed as %s is a line of its own, whatever its tag',
  (display) => {
    expect(piecesOf(`<p><span style="display:${display}">342 B</span><a>${code}</a></p>`)).toEqual([
      ['', '342 B'],
      ['\n', code],
    ]);
  },
);

test('items of a flex container and what floats are lines of their own', () => {
  const two = `<span>342 B</span><a>${code}</a>`;
  expect(piecesOf(`<p style="display:flex">${two}</p>`)[1]?.[0]).toBe('\n');
  expect(piecesOf(`<p>${two.replace('<a', '<a style="float:left"')}</p>`)[1]?.[0]).toBe('\n');
});

test('a div displayed inline goes on with its line, an inline block is apart by a space', () => {
  const half = `<div style="display:inline">${code.slice(24)}</div>`;
  expect(piecesOf(`<p>${code}!<i></i></p><div>${code}${half}</div>`).slice(-1)).toEqual([
    ['', code.slice(24)],
  ]);
  expect(
    piecesOf(`<p><b style="display:inline-block">342</b><span>${code}</span></p>`).slice(-1),
  ).toEqual([[' ', code]]);
});

test('what is not displayed is neither text nor a break of the line', () => {
  const hidden = '<span hidden><p>old</p></span>';
  expect(piecesOf(`<div>${hidden}${code}${hidden}<i>!</i></div>`)).toEqual([
    ['', code],
    ['', '!'],
  ]);
});

test('a code that is not displayed yet has its own lines', () => {
  expect(piecesOf(`<p>seen</p><div hidden><p>Code</p><p>${code}</p></div>`).slice(-1)).toEqual([
    ['\n', code],
  ]);
});

test('scripts and styles are no text', () => {
  expect(
    piecesOf(
      `<p>Code</p><script type="text/plain">script</script><style>a{}</style><p>${code}</p>`,
    ),
  ).toEqual([
    ['', 'Code'],
    ['\n', code],
  ]);
});

test('a run takes 120 units of other text on either side, in whole nodes', () => {
  const { nodes } = runAround(showPage(`${words.repeat(6)}<p>${code}</p>${words.repeat(6)}`));
  expect(nodes.map(({ data }) => data === code)).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
});

test('a run goes on while parts of codes follow', () => {
  const { nodes, lastCandidate } = runAround(
    showPage(`<p>${code}</p>${words}${words}<p>${code} too</p>${words.repeat(6)}`),
  );
  expect(lastCandidate.data).toBe(`${code} too`);
  expect(nodes).toHaveLength(7);
});

test('a page of codes alone does not make an endless run', () => {
  const { nodes } = runAround(showPage(`<p>${code}</p>`.repeat(1000)));
  expect(nodes).toHaveLength(301);
});

test('a run ends where thousands of elements hold no text', () => {
  const empty = (count: number): string => '<i> </i>'.repeat(count);
  const page = (count: number): string =>
    `<p>Code</p>${empty(count)}${code}${empty(count)}<p>!</p>`;
  expect(piecesOf(page(900)).map(([, text]) => text)).toEqual(['Code', code, '!']);
  expect(piecesOf(page(9000)).map(([, text]) => text)).toEqual([code]);
});

test('a run stays in its shadow tree', () => {
  showPage('<p>outside</p>');
  const root = addShadowRoot(document.body, `<p>${code}</p>`);
  expect(runAround(textNodesIn(root)).nodes).toHaveLength(1);
});

test('only the beginning of a very long text is read', () => {
  expect(textOf(new Text('a'.repeat(maxTextLength + 1)))).toHaveLength(maxTextLength);
  expect(textOf(new Text('short'))).toBe('short');
});
