import { expect, test } from 'vitest';

import type { ReplyFacts } from '#core/replies/reply-facts';
import {
  customerDomain,
  forgetLanguage,
  rememberedLanguage,
  rememberLanguage,
  replyLanguageOf,
} from '#core/replies/reply-language';
import { replyBounds } from '#core/reply-templates/index';

const offered = ['de', 'en', 'ja', 'pt-BR', 'zh-CN'];

test.each([
  ['the choice for the ticket before all', 'ja', 'de', 'pt-BR', 'zh-CN', 'ja'],
  [
    'what is remembered of the customer before the setting',
    undefined,
    'de',
    'pt-BR',
    'zh-CN',
    'de',
  ],
  ['the setting before the page', undefined, undefined, 'pt-BR', 'de', 'pt-BR'],
  ['the page in the end', undefined, undefined, undefined, 'de', 'de'],
  ['a region of the page’s language', undefined, undefined, undefined, 'de-AT', 'de'],
  ['another region of it', undefined, undefined, undefined, 'pt-PT', 'pt-BR'],
  ['no other script of it', undefined, undefined, undefined, 'zh-TW', 'en'],
  ['English for a page in none of them', undefined, undefined, undefined, 'la', 'en'],
  ['none that has no texts any more', 'xx', 'yy', 'de', 'ja', 'de'],
])('a reply is in %s', (_, ticket, customer, setting, page, language) => {
  expect(replyLanguageOf({ ticket, customer, setting, page }, offered)).toBe(language);
});

const facts = (values: ReplyFacts['values']): ReplyFacts => ({ situation: 'activated', values });
const text = (of: string) => ({ kind: 'text', text: of }) as const;

test.each([
  [{ domain: text('shop.example') }, 'shop.example'],
  [{ domain: text('WWW.Shop.Example.') }, 'shop.example'],
  [{ domain: text('shop.example'), expected_domain: text('new.example') }, 'new.example'],
  [{ domain: text('localhost:8080') }, 'localhost:8080'],
  [{ domain: text('مثال.example') }, 'مثال.example'],
  [{ domain: text('not a domain') }, undefined],
  [{ domain: text('a.example/path') }, undefined],
  [{ domain: text('a'.repeat(300)) }, undefined],
  [{}, undefined],
])('the customer of %j is %j', (values, domain) => {
  expect(customerDomain(facts(values))).toBe(domain);
});

test('the language of a domain is remembered once, and forgotten', () => {
  const first = rememberLanguage([], { domain: 'a.example', language: 'de' });
  const both = rememberLanguage(first, { domain: 'b.example', language: 'ja' });
  const changed = rememberLanguage(both, { domain: 'a.example', language: 'tr' });
  expect(changed).toEqual([
    { domain: 'b.example', language: 'ja' },
    { domain: 'a.example', language: 'tr' },
  ]);
  expect(rememberedLanguage(changed, 'a.example')).toBe('tr');
  expect(rememberedLanguage(changed, 'c.example')).toBeUndefined();
  expect(rememberedLanguage(changed, undefined)).toBeUndefined();
  expect(forgetLanguage(changed, 'a.example')).toEqual([{ domain: 'b.example', language: 'ja' }]);
});

test('no more domains are remembered than may be: the oldest go', () => {
  const many = Array.from({ length: replyBounds.customers }, (_, index) => ({
    domain: `${String(index)}.example`,
    language: 'de',
  }));
  const more = rememberLanguage(many, { domain: 'new.example', language: 'ja' });
  expect(more).toHaveLength(replyBounds.customers);
  expect(more[0]?.domain).toBe('1.example');
  expect(more.at(-1)?.domain).toBe('new.example');
});
