import { expect, test } from 'vitest';
import { defineComponent } from 'vue';

import { useSummary } from '#components/check/answer/summary';
import { createFormats } from '#components/formats';
import type { CheckReport } from '#core/check/index';
import { composeReply, type ReplyCatalogue, purchaseReplyFacts } from '#core/replies/index';
import { purchaseVariables } from '#core/reply-templates/template';
import { succeed } from '#core/result';
import type { PurchaseProblem } from '#core/marketplaces/resources';
import english from '#locales/en/replies.json';
import { useConnections } from '#stores/connections/connections';
import { foreign, foreignMarks, foreignMarkup } from '#tests/components/foreign-text';
import { mounting } from '#tests/components/mounted';
import {
  code,
  connection,
  faulty,
  genuine,
  item,
  notFound,
  now,
  purchase,
} from '#tests/stores/check/samples';

const asked = { code, connectionId: 'market' };
const bought = (text: string, problem?: PurchaseProblem): CheckReport =>
  genuine(
    { ...asked, code: `${code}${text}` },
    purchase({
      item: { ...item, name: text, version: text },
      licenseType: text,
      currency: text,
      ...(problem && { problem }),
    }),
  );

/** Binds the texts to a page, over a connection of that name. */
async function copiedTexts(name: string) {
  let texts: ReturnType<typeof bind> | undefined;
  const bind = () => ({ summary: useSummary(), list: useConnections() });
  const page = defineComponent(() => {
    texts = bind();
    return () => undefined;
  });
  mounting(page, { script: { 'connections.list': () => [connection({ name })] } });
  if (texts === undefined) throw new Error('The page was not mounted.');
  await texts.list.load();
  return texts;
}

test.each<[string, (text: string) => CheckReport]>([
  ['a purchase', (text) => bought(text)],
  [
    'a not-found',
    (text) => ({
      ...notFound(asked),
      outcome: succeed({ kind: 'not-found', msg: text, key: 'good', proven: true }),
    }),
  ],
  ['a fault', (text) => faulty(asked, { kind: 'refused', about: 'request', msg: text })],
])(
  'the summary of %s has a line for each fact, and no link, mention or heading',
  async (_, report) => {
    const plain = (await copiedTexts('Market')).summary(report('Orbit'), 'whole');
    const text = (await copiedTexts(foreign)).summary(report(foreign), 'whole');
    expect(foreignMarks(text)).toEqual([]);
    expect(text.split(/\r?\n|\r/u)).toHaveLength(plain.split('\n').length);
    expect(text).toContain('four');
  },
);

/**
 * Purchases of which a reply says all but one variable: what is for another item has no problem, and the other way
 * about.
 */
const replies = [
  ['other-item', 'problem', undefined],
  ['void', 'expected_item', { kind: 'refunded' }],
] as const;

test.each(
  (['plain', 'markdown'] as const).flatMap((format) =>
    replies.map((reply) => [format, ...reply] as const),
  ),
)(
  'a reply in %s is one line for each variable, and none is a link, mention or heading, of a purchase that is %s',
  (format, situation, unsaid, problem) => {
    // A line without its fact is left out.
    const said = purchaseVariables.filter((name) => name !== unsaid);
    const template = purchaseVariables.map((name) => `${name} {${name}}`).join('\n');
    const { outcome } = bought(foreign, problem);
    if (!outcome.ok) throw new Error('There is no purchase.');
    const facts = purchaseReplyFacts(
      {
        connectionId: 'market',
        code: `${code}${foreign}`,
        connection: foreign,
        checkedAt: now,
        answer: outcome.value,
        expected: { itemId: item.id + 1, name: foreign },
      },
      now,
    );
    const catalogue = english as ReplyCatalogue;
    const { relative } = createFormats('en', 'UTC');
    const style = { catalogue, frame: catalogue, format, locale: 'en', relative };
    expect(facts.situation).toBe(situation);
    const text = composeReply(facts, { situation, text: template, whole: true }, style);
    expect(foreignMarks(text)).toEqual([]);
    // Where nobody is named, the sentence begins with a capital.
    const names = text
      .split(/\r?\n|\r/u)
      .map((line) => line.split(' ')[0]?.replaceAll('\\', '').toLowerCase());
    expect(names).toEqual(said);
    if (format === 'markdown')
      expect(foreignMarkup(text.replaceAll(/`[^`\n]*`/gu, ''))).toEqual([]);
    expect(text).toContain('four');
  },
);
