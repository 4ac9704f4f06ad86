import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { insertIntoReply } from '#adapters/browser/insert-into-reply';
import { readDocument } from '#adapters/browser/read-document';
import type { Insertion } from '#core/ticket/index';

const reply = 'Hello,\n\nyour purchase is confirmed.';
const ticket = { address: location.href.replace(/#.*/u, ''), subject: '' };
let host: HTMLElement;

beforeEach(() => {
  host = document.createElement('main');
  document.body.append(host);
});
afterEach(() => {
  host.remove();
});

/** Returns what the page is known to hold. */
function held<T>(value: T | null): T {
  if (value === null) throw new Error('The page does not hold it.');
  return value;
}

const area = (): HTMLTextAreaElement => held(host.querySelector('textarea'));
const insert = (): Promise<Insertion> => insertIntoReply(reply, ticket);

async function frame(html: string): Promise<Document> {
  const element = document.createElement('iframe');
  host.append(element);
  const inside = held(element.contentDocument);
  inside.body.innerHTML = html;
  return Promise.resolve(inside);
}

describe('a plain field', () => {
  test('takes the text at its caret, and gives it back by undo', async () => {
    host.innerHTML = '<textarea>before after</textarea>';
    area().focus();
    area().setSelectionRange(7, 7);
    expect(await insert()).toBe('inserted');
    expect(area().value).toBe(`before ${reply}after`);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- what Ctrl+Z does
    document.execCommand('undo');
    expect(area().value).toBe('before after');
  });

  test.each(['<textarea></textarea>', '<div contenteditable></div>'])(
    'keeps a blank line between two replies: %s',
    async (html) => {
      host.innerHTML = html;
      await insert();
      await insert();
      const [field] = host.children;
      const text = field instanceof HTMLElement && 'value' in field ? field.value : host.innerText;
      const lines = String(text)
        .trimEnd()
        .replaceAll(/\n{2,}/gu, '\n\n');
      expect(lines).toBe(`${reply}\n\n${reply}`);
    },
  );

  test('takes it without the focus where it is the only one that is seen', async () => {
    host.innerHTML =
      '<input value="Subject"><textarea hidden></textarea><textarea></textarea><div style="position:absolute;left:-9999px"><textarea></textarea></div>';
    const [, seen] = host.querySelectorAll('textarea');
    expect(await insert()).toBe('inserted');
    expect(seen?.value).toBe(reply);
  });

  test('tells the page of it as of typing', async () => {
    host.innerHTML = '<textarea></textarea>';
    const types: string[] = [];
    area().addEventListener('input', (event) => types.push(event.inputType));
    await insert();
    expect([...new Set(types)]).toEqual(['insertText']);
  });

  test.each([
    ['none is there', '<p>Closed</p>'],
    ['two are seen and neither has the focus', '<textarea></textarea><p contenteditable>Note</p>'],
    ['it is read only', '<textarea readonly></textarea>'],
    ['it cannot be used', '<textarea disabled></textarea>'],
  ])('is not guessed: %s', async (_why, html) => {
    host.innerHTML = html;
    expect(await insert()).toBe('no-field');
    expect(document.body.innerHTML).not.toContain('purchase is confirmed');
  });

  test.each([
    ['at another address', { ...ticket, address: 'https://desk.example.com/2' }],
    ['under another heading', { ...ticket, subject: 'Invoices' }],
  ])('in another ticket gets nothing: %s', async (_why, other) => {
    host.innerHTML = '<h1>No carrier (2)</h1><textarea></textarea>';
    expect(await insertIntoReply(reply, other)).toBe('other-ticket');
    expect(area().value).toBe('');
    expect(await insertIntoReply(reply, { ...ticket, subject: 'No carrier' })).toBe('inserted');
  });
});

test.each([
  ['No carrier (2)'],
  [' Spaces \n and   lines '],
  ['(1)(2) Counted'],
  ['x'.repeat(300)],
  [''],
])('the heading %j is compared as it is read', async (heading) => {
  host.innerHTML = `<main><h1></h1></main><textarea></textarea>`;
  (host.querySelector('h1') as HTMLElement).textContent = heading;
  const { subject } = readDocument(1000);
  expect(await insertIntoReply(reply, { ...ticket, subject })).toBe('inserted');
});

describe('a rich editor', () => {
  test('takes the text where the caret is, though another one is seen', async () => {
    host.innerHTML = '<textarea></textarea><div contenteditable><p>Dear <b>Ada</b></p></div>';
    const editor = host.querySelector('div') as HTMLElement;
    editor.focus();
    expect(await insert()).toBe('inserted');
    expect(editor.innerText).toContain('your purchase is confirmed.');
    expect(area().value).toBe('');
  });

  test('takes it as text, whatever it holds', async () => {
    host.innerHTML = '<div contenteditable></div>';
    expect(await insertIntoReply('<img src=x><b>1</b>', ticket)).toBe('inserted');
    expect(host.querySelector('img, b')).toBeNull();
  });

  test.each([
    ['an editable body', '<p>On Monday you wrote</p>', 'editable'],
    ['a document in design mode', '<p>On Monday you wrote</p>', 'design'],
  ])('in a frame takes it: %s', async (_what, html, kind) => {
    const inside = await frame(html);
    if (kind === 'design') inside.designMode = 'on';
    else inside.body.contentEditable = 'true';
    expect(await insert()).toBe('inserted');
    expect(inside.body.innerText).toContain('your purchase is confirmed.');
    expect(inside.body.innerText).toContain('On Monday you wrote');
  });

  test('that has the focus in a frame goes before a field that is seen', async () => {
    host.innerHTML = '<textarea></textarea>';
    const inside = await frame('<div contenteditable>Note</div>');
    inside.querySelector('div')?.focus();
    expect(await insert()).toBe('inserted');
    expect(inside.body.innerText).toContain('your purchase is confirmed.');
    expect(area().value).toBe('');
  });

  test('in an open shadow root takes it while it has the focus', async () => {
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = '<div contenteditable>Note</div>';
    shadow.querySelector('div')?.focus();
    expect(await insert()).toBe('inserted');
    expect(shadow.textContent).toContain('your purchase is confirmed.');
  });

  test('that draws its text itself is waited for', async () => {
    host.innerHTML = '<div contenteditable></div>';
    const editor = host.querySelector('div') as HTMLElement;
    editor.addEventListener('input', () => {
      const { textContent } = editor;
      editor.replaceChildren();
      setTimeout(() => (editor.textContent = textContent), 60);
    });
    expect(await insertIntoReply('Hello', ticket)).toBe('inserted');
  });

  test('that takes no text says so', async () => {
    host.innerHTML = '<div contenteditable>Locked</div>';
    const editor = host.querySelector('div') as HTMLElement;
    editor.addEventListener('input', () => {
      editor.textContent = 'Locked';
    });
    expect(await insert()).toBe('no-field');
  });
});
