import { describe, expect, it } from 'vitest';

import { unknownVariables } from '#core/reply-templates/fill-template';
import { replyWords } from '#core/reply-templates/reply-facts';
import {
  licenseSituations,
  purchaseSituations,
  replyBounds,
  variablesOf,
} from '#core/reply-templates/template';
import { catalogues } from '#tests/core/reply-templates/replies';

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
