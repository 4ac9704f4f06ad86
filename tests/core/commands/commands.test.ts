import { expect, test } from 'vitest';

import { type Command, findCommands } from '#core/commands/commands';

function command(kind: Command['kind'], title: string, detail = '', codeId?: string): Command {
  return { kind, title, detail, href: `${kind}.html`, ...(codeId !== undefined && { codeId }) };
}
const titles = (found: readonly Command[]): string[] => found.map(({ title }) => title);

const commands = [
  command('page', 'History', 'Desk'),
  command('page', 'Réglages'),
  command('setting', 'Help desks and shortcut'),
  command('item', 'Orbit CRM', 'Market · 42'),
  command('item', 'The orbit kit', 'Demo · 43'),
  ...['a', 'b', 'c', 'd'].map((id) => command('code', `8678…${id}`, 'Supported', id)),
  command('job', 'sales-november.csv', '12 Nov 2027, 14:05'),
];

test.each([
  ['orbit', ['Orbit CRM', 'The orbit kit']],
  ['kit demo', ['The orbit kit']],
  ['42', ['Orbit CRM']],
  ['reglages', ['Réglages']],
  ['desk', ['Help desks and shortcut', 'History']],
  ['sales', ['sales-november.csv']],
  ['hist', ['History']],
  ['nothing of it', []],
])('%j finds what has every word of it, what is called so first', (text, found) => {
  expect(titles(findCommands(text, commands))).toEqual(found);
});

test('without a text there are the pages, and the codes checked last', () => {
  expect(titles(findCommands(' ', commands))).toEqual([
    'History',
    'Réglages',
    '8678…a',
    '8678…b',
    '8678…c',
  ]);
});

test('without a text there is no code that a bulk check asked about last', () => {
  const last = { ...command('code', '8678…z'), isOfJob: true };
  expect(titles(findCommands('', [last, ...commands]))).not.toContain('8678…z');
  expect(titles(findCommands('8678…z', [last, ...commands]))).toEqual(['8678…z']);
});

test('a masked code is found by its whole one', () => {
  expect(titles(findCommands('86781236-23d0', commands, 'c'))).toEqual(['8678…c']);
});

test('each kind has its place beside many of another', () => {
  const many = Array.from({ length: 50 }, (_, at) => command('item', `Orbit ${String(at)}`));
  const found = findCommands('orbit', [...many, command('reply', 'Orbit')]);
  expect(found).toHaveLength(7);
  expect(titles(found)).toContain('Orbit');
});
