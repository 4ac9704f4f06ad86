import { describe, expect, it } from 'vitest';

import { fillTemplate, unknownVariables } from '#core/reply-templates/fill-template';
import {
  purchaseVariables,
  readReplySettings,
  type ReplyFormat,
  type ReplyValues,
} from '#core/reply-templates/template';

const values: ReplyValues = {
  ...Object.fromEntries(purchaseVariables.map((name) => [name, `<${name}>`])),
  code: '8678••••-dece',
  item: '*New* [x](y) {code}',
};

function fill(text: string, format: ReplyFormat = 'plain', changes: ReplyValues = {}): string {
  return fillTemplate(text, {
    values: { ...values, ...changes },
    variables: purchaseVariables,
    format,
    language: 'en',
  });
}

describe('a reply', () => {
  it('is its template with the variables filled in, each once', () => {
    expect(fill('{item}: {code}, {code}')).toBe(
      '\u2060*New* [x](y) {code}: 8678••••-dece, 8678••••-dece',
    );
  });
  it('keeps braces that name no variable, and says which', () => {
    const text = 'a {nonsense} {} { code } {nonsense} {constructor} {domain}';
    expect(fill(text)).toBe(text);
    expect(unknownVariables(text, purchaseVariables)).toEqual([
      'nonsense',
      'constructor',
      'domain',
    ]);
  });
  it('in Markdown takes no value for markup, and sets the code as code', () => {
    expect(fill('**{item}** {code}', 'markdown')).toBe(
      String.raw`**\*New\* \[x\]\(y\) \{code\}** ` + '`8678••••-dece`',
    );
  });

  it.each([['a`b``c', '`abc`']])(
    'in Markdown sets the code %j as %j: no backtick ends it early',
    (code, written) => {
      expect(fill('{code}', 'markdown', { code })).toBe(written);
    },
  );

  it('in Markdown is empty for a code of backticks alone', () => {
    expect(fill('{code}', 'markdown', { code: '``' })).toBe('');
  });

  it('names no variable as unknown', () => {
    expect(unknownVariables('{item} {code} {itme}', purchaseVariables)).toEqual(['itme']);
  });

  it.each(['plain', 'markdown'] as const)(
    'in %s is one line for each of the template, with no link or mention of the seller’s',
    (format) => {
      const item = 'A\n# B\u2028@all see https://evil.test';
      const text = fill('About {item}\nRegards', format, { item });
      expect(text.split(/[\r\n\u2028]/u)).toHaveLength(2);
      expect(text).not.toMatch(/@all|https:\/\/|^#/mu);
    },
  );

  it.each([
    ['It is {item}. The version is {version}. Thanks.', 'It is Orbit. Thanks.'],
    ['It is {item}. {version}\nThanks.', 'It is Orbit.\nThanks.'],
    ['{version} is the version. {item} is the item.', 'Orbit is the item.'],
    ['- Item: {item}\n- Version: {version}\n- Code: {code}', '- Item: Orbit\n- Code: x'],
    ['It is {item}.\n\n{version}\n\nThanks.', 'It is Orbit.\n\nThanks.'],
    ['It is {item}.\n\n{version}', 'It is Orbit.'],
    ['{version}', ''],
  ])('leaves out a sentence whose fact is not known: %j', (text, written) => {
    expect(fill(text, 'plain', { item: 'Orbit', code: 'x', version: '' })).toBe(written);
  });

  it('keeps the blank lines that the agent wrote', () => {
    expect(fill('A\n\n\nB', 'plain')).toBe('A\n\n\nB');
  });
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
