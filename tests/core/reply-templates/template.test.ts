import { describe, expect, it } from 'vitest';

import { fillTemplate, unknownVariables } from '#core/replies/fill-template';
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
      '\u200C*New* [\u200Cx]\u200C(y) {code}: 8678••••-dece, 8678••••-dece',
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
    ['It is {item}.\n{version}\n\nThanks.', 'It is Orbit.\n\nThanks.'],
    ['It is {item}.\n \n{version}\n\nThanks.', 'It is Orbit.\n\nThanks.'],
    ['{version}', ''],
  ])('leaves out a sentence whose fact is not known: %j', (text, written) => {
    expect(fill(text, 'plain', { item: 'Orbit', code: 'x', version: '' })).toBe(written);
  });

  it.each([
    ['ja', '{item}です。バージョンは{version}です。以上です。', 'Orbitです。以上です。'],
    ['zh-CN', '这是 {item}。版本是 {version}。谢谢。', '这是 Orbit。谢谢。'],
    ['ar', 'هل هو {version}؟ شكرًا لكم.', 'شكرًا لكم.'],
    ['hi', 'यह असली है। संस्करण {version} है। धन्यवाद।', 'यह असली है। धन्यवाद।'],
    ['fr', 'Sa réponse était « {version} ». Merci !', 'Merci !'],
    ['de', 'Die Antwort lautete „{version}“. {item} ist echt.', 'Orbit ist echt.'],
  ])('knows where a sentence ends in %s', (language, text, written) => {
    const filling = { variables: purchaseVariables, format: 'plain', language } as const;
    expect(fillTemplate(text, { ...filling, values: { item: 'Orbit' } })).toBe(written);
  });

  it.each<[ReplyFormat, string]>([
    ['plain', 'الرمز \u20688678••••-dece\u2069 للمنتج قلم.'],
    ['markdown', 'الرمز \u2068`8678••••-dece`\u2069 للمنتج قلم.'],
  ])('from right to left keeps the order of a code, in %s', (format, written) => {
    const text = 'الرمز {code} للمنتج {item}.';
    const known = { code: '8678••••-dece', item: 'قلم' };
    const filling = { values: known, variables: purchaseVariables, format };
    expect(fillTemplate(text, { ...filling, language: 'ar-EG' })).toBe(written);
    expect(fillTemplate(text, { ...filling, language: 'en' })).not.toMatch(/[\u2066-\u2069]/u);
  });

  it.each([
    ['en', 'Hello {customer},', 'Hello Ada,', 'Hello,'],
    ['en', 'Hello, {customer}!', 'Hello, Ada!', 'Hello!'],
    ['en', 'Thanks, {customer}. Yours.', 'Thanks, Ada. Yours.', 'Thanks. Yours.'],
    ['en', '{customer}, thank you.', 'Ada, thank you.', 'Thank you.'],
    ['tr', '{customer}, iyi günler.', 'Ada, iyi günler.', 'İyi günler.'],
    ['en', 'Hi {customer}', 'Hi Ada', 'Hi'],
    ['en', '{customer}:\nThanks.', 'Ada:\nThanks.', 'Thanks.'],
    ['en', 'Kind regards\n{agent}', 'Kind regards\nJo', 'Kind regards'],
    ['en', 'Kind regards, {agent}', 'Kind regards, Jo', 'Kind regards'],
    ['en', '– {agent}\nThe team', '– Jo\nThe team', 'The team'],
    ['en', 'I am {agent}. It is fine.', 'I am Jo. It is fine.', 'It is fine.'],
    ['en', 'It is for {customer}. Bye.', 'It is for Ada. Bye.', 'Bye.'],
    [
      'ja',
      '{customer}様\n\nお世話になります。',
      'Ada様\n\nお世話になります。',
      'お世話になります。',
    ],
    ['zh-CN', '{customer}您好，', 'Ada您好，', '您好，'],
    ['hi', 'नमस्ते {customer} जी,', 'नमस्ते Ada जी,', 'नमस्ते,'],
    ['ar', 'مرحبًا {customer}،', 'مرحبًا \u2068Ada\u2069،', 'مرحبًا،'],
  ])('names people where they are known, and reads well where not: %s %j', (language, ...texts) => {
    const [text, named, unnamed] = texts;
    const filling = { variables: purchaseVariables, format: 'plain', language } as const;
    const known = { customer: 'Ada', agent: 'Jo' };
    expect(fillTemplate(text, { ...filling, values: known })).toBe(named);
    expect(fillTemplate(text, { ...filling, values: {} })).toBe(unnamed);
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
