import { describe, expect, it } from 'vitest';

import { fillTemplate, unknownVariables } from '#core/reply-templates/fill-template';
import {
  readReplySettings,
  replyVariables,
  type ReplyValues,
} from '#core/reply-templates/template';

const values = {
  ...Object.fromEntries(replyVariables.map((name) => [name, `<${name}>`])),
  code: '8678••••-dece',
  item: '*New* [x](y) {code}',
} as ReplyValues;

describe('a reply', () => {
  it('is its template with the variables filled in, each once', () => {
    expect(fillTemplate('{item}: {code}, {code}', values, 'plain')).toBe(
      '\u2060*New* [x](y) {code}: 8678••••-dece, 8678••••-dece',
    );
  });
  it('keeps braces that name no variable, and says which', () => {
    const text = 'a {nonsense} {} { code } {nonsense} {constructor}';
    expect(fillTemplate(text, values, 'plain')).toBe(text);
    expect(unknownVariables(text)).toEqual(['nonsense', 'constructor']);
  });
  it('in Markdown takes no value for markup, and sets the code as code', () => {
    expect(fillTemplate('**{item}** {code}', values, 'markdown')).toBe(
      String.raw`**\*New\* \[x\]\(y\) \{code\}** ` + '`8678••••-dece`',
    );
  });

  it.each(['plain', 'markdown'] as const)(
    'in %s is one line for each of the template, with no link or mention of the seller’s',
    (format) => {
      const item = 'A\n# B\u2028@all see https://evil.test';
      const text = fillTemplate('About {item}\nRegards', { ...values, item }, format);
      expect(text.split(/[\r\n\u2028]/u)).toHaveLength(2);
      expect(text).not.toMatch(/@all|https:\/\/|^#/mu);
    },
  );
});

describe('reply settings', () => {
  it('that cannot be read are as if never touched', () => {
    for (const cached of [
      undefined,
      'x',
      { format: 'html' },
      { format: 'plain', templates: { 0: {} } },
    ])
      expect(readReplySettings(cached)).toEqual({ format: 'plain' });
  });
});
