import { expect, test } from 'vitest';

import { glossaryProblems, tablesOf } from '#scripts/checks/glossary';

test('a text without the word for a term, and one with another word, are named', () => {
  const [terms = [], others = []] = tablesOf(
    [
      '| English | de |',
      '| --- | --- |',
      '| purchase code | Kaufcode |',
      '| purchase | Kauf / Käufe |',
      '',
      '| Language | Not | But |',
      '| --- | --- | --- |',
      '| de | Erwerb | Kauf |',
      '| es | code | código |',
      '',
    ].join('\n'),
  );
  const texts = new Map([
    ['kept', 'Two Purchases'],
    ['lost', 'One purchase'],
    ['longer', 'A purchase code'],
    ['path', 'At {address}/purchase'],
  ]);
  const german = new Map([
    ['kept', 'Zwei Käufe'],
    ['lost', 'Ein Erwerb'],
    ['longer', 'Ein Code'],
    ['path', 'Bei {address}/purchase'],
  ]);
  expect(glossaryProblems(terms, others, texts, german, 'de')).toEqual([
    'longer: lacks purchase code',
    'lost: lacks purchase',
    'lost: holds Erwerb',
  ]);
});
