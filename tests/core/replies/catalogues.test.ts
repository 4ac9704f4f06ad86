import { describe, expect, it, test } from 'vitest';

import { unknownVariables } from '#core/replies/fill-template';
import { replyWords } from '#core/replies/reply-facts';
import {
  licenseSituations,
  purchaseSituations,
  replyBounds,
  variablesOf,
} from '#core/reply-templates/index';
import { wholeReplies } from '#scripts/translations/texts';
import { catalogues, sentencesOf } from '#tests/core/replies/replies';

const [, english] = catalogues.find(([language]) => language === 'en') ?? [];
if (english === undefined) throw new Error('There is no English catalogue.');

test('what a language lacks of its replies is in English', () => {
  const { greeting, templates, words } = english;
  const [first, ...others] = templates;
  const own = { ...first, text: 'Danke' } as (typeof templates)[number];
  expect(wholeReplies(english, { closing: 'Gruß', templates: [own] })).toMatchObject({
    greeting,
    closing: 'Gruß',
    templates: [own, ...others],
    words,
  });
});

describe.each(catalogues)('the replies in %s', (language, { templates, words, ...rest }) => {
  it('have a template for every situation, each with an id of its own', () => {
    const situations = new Set(templates.map(({ situation }) => situation));
    expect([...situations].sort()).toEqual([...purchaseSituations, ...licenseSituations].sort());
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  });

  it('use the variables of their situation alone', () => {
    for (const { id, situation, text } of templates)
      expect([id, unknownVariables(text, variablesOf(situation))]).toEqual([id, []]);
  });

  it('are the English ones: the same templates, each with the same variables in as many lines', () => {
    const shape = (text: string): object => ({
      lines: text.split('\n').length,
      variables: [...text.matchAll(/\{\w+\}/gu)].map(String).sort(),
    });
    expect(templates.map(({ id, situation, text }) => ({ id, situation, ...shape(text) }))).toEqual(
      english.templates.map(({ id, situation, text }) => ({ id, situation, ...shape(text) })),
    );
  });

  it('leave out the same sentences: each names the variables that one of the English text names', () => {
    for (const [at, { id, text }] of templates.entries())
      expect([id, variablesBySentence(text, language)]).toEqual([
        id,
        variablesBySentence(english.templates[at]?.text ?? '', 'en'),
      ]);
  });

  it('have every word, and none that nothing says', () => {
    expect(Object.keys(words).sort()).toEqual([...replyWords].sort());
    for (const text of Object.values(words)) expect(text).not.toMatch(/[{}\n]|^$/);
  });

  it('greet and close, and name the license types', () => {
    expect(rest.greeting).not.toBe('');
    expect(rest.closing).not.toBe('');
    expect(Object.keys(rest.licenseTypes).sort()).toEqual(['extended', 'regular']);
  });

  it('fit the bounds of templates that are edited, in a language that has a name', () => {
    for (const { name, text } of templates) {
      expect(name.length).toBeLessThanOrEqual(replyBounds.name);
      expect(text.length).toBeLessThanOrEqual(replyBounds.text);
    }
    expect(Intl.getCanonicalLocales(language)).toEqual([language]);
  });
});

/** Returns which variables stand in one sentence together, sorted. */
function variablesBySentence(text: string, language: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => sentencesOf(line.replaceAll(/\{(\w+)\}/gu, 'X$1'), language))
    .map((sentence) => [...new Set(sentence.match(/X[a-z_]+/gu))].sort().join(' '))
    .filter((names) => names !== '')
    .sort();
}
