import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type DocumentText, readDocument } from '#adapters/browser/read-document';

const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';

let host: HTMLElement;

beforeEach(() => {
  host = document.createElement('main');
  document.body.append(host);
});

afterEach(() => {
  getSelection()?.removeAllRanges();
  host.remove();
});

describe('a document', () => {
  test('is read by the function’s source alone, as the browser injects it', () => {
    host.textContent = code;
    const script = document.createElement('script');
    script.textContent = `globalThis.readFromSource = (${readDocument.toString()})(1000);`;
    document.head.append(script);
    script.remove();
    const { readFromSource } = globalThis as { readFromSource?: DocumentText };
    expect(readFromSource).toEqual(readDocument(1000));
    expect(readFromSource?.text).toContain(code);
  });

  test('gives its visible text where nothing is selected', () => {
    host.innerHTML = `<p>Hello</p><p hidden>hidden</p>`;
    const { selection, text } = readDocument(1000);
    expect(selection).toBe('');
    expect(text).toContain('Hello');
    expect(text).not.toContain('hidden');
  });

  test('of more than 50,000 elements gives its text, without scripts, styles and fields', () => {
    host.append(...Array.from({ length: 50_001 }, () => document.createElement('i')));
    host.insertAdjacentHTML(
      'afterbegin',
      `<p>${code}</p><style>.x{}</style><textarea>typed</textarea>`,
    );
    const { text } = readDocument(10_000);
    expect(text).toContain(code);
    expect(text).not.toContain('.x{}');
    expect(text).not.toContain('typed');
  });

  test('is cut off at the length that is asked for', () => {
    host.textContent = 'x'.repeat(100);
    expect(readDocument(10).text).toHaveLength(10);
  });
});

describe('what is typed', () => {
  const other = '11111111-2222-4333-8444-555555555555';
  const editors = [
    `<div contenteditable>Your code is ${other}</div>`,
    `<div contenteditable="plaintext-only">${other}</div>`,
    `<div contenteditable><p>Hello</p><p>${other}<br></p><ul><li><b contenteditable>${other}</b></li></ul></div>`,
  ];

  test.each(editors)('is left out of the text where that is asked for: %s', (editor) => {
    host.innerHTML = `<p>${code}</p>${editor}<p>Bye</p>`;
    expect(readDocument(1000).text).toContain(other);
    const { text } = readDocument(1000, true);
    expect(text).toContain(code);
    expect(text).toContain('Bye');
    expect(text).not.toContain(other);
    host.append(...Array.from({ length: 50_001 }, () => document.createElement('i')));
    expect(readDocument(10_000).text).toContain(other);
    const large = readDocument(10_000, true).text;
    expect(large).toContain(code);
    expect(large).not.toContain(other);
  });

  test('takes nothing else of the same letters with it', () => {
    host.innerHTML = `<p>Code: <b>${code}</b></p><div>Re: <span>d</span><i contenteditable>d</i></div>`;
    const { text } = readDocument(1000, true);
    expect(text).toContain(`Code: ${code}`);
    expect(text).toContain('Re: d\n');
  });

  test('leaves hidden text around an editor out as well', () => {
    host.innerHTML = `<p hidden>hidden</p><div style="display: contents">${code}</div><svg><text>drawn</text></svg>
      <details><summary>More</summary><p>closed</p></details><textarea>field</textarea><p contenteditable>${other}</p>`;
    const { text } = readDocument(1000, true);
    expect(text).toContain(code);
    expect(text).toContain('More');
    expect(text).toContain('drawn');
    expect(text).not.toMatch(/hidden|closed|field/u);
  });

  test('does not count as selected there', () => {
    host.innerHTML = `<p>${code}</p><div contenteditable>${other}</div>`;
    const editor = host.querySelector('div') ?? expect.fail('There is an editor.');
    editor.focus();
    getSelection()?.selectAllChildren(editor);
    expect(readDocument(1000).selection).toBe(other);
    expect(readDocument(1000, true).selection).toBe('');
    const field = document.createElement('textarea');
    host.append(field);
    field.value = other;
    field.focus();
    field.select();
    expect(readDocument(1000).selection).toBe(other);
    expect(readDocument(1000, true)).toMatchObject({
      selection: '',
      text: expect.stringContaining(code) as string,
    });
  });

  test('is told apart from what a field was loaded with', () => {
    host.innerHTML = `<textarea>&gt; ${code}</textarea>`;
    const field = host.querySelector('textarea') ?? expect.fail('There is a field.');
    field.value += other;
    expect(readDocument(1000, true)).toMatchObject({ text: '', quoted: `> ${code}` });
  });

  test('is all of a document that can be edited as a whole', () => {
    host.textContent = code;
    document.designMode = 'on';
    const { text } = readDocument(1000, true);
    document.designMode = 'off';
    expect(text).toBe('');
  });
});

describe('a selection', () => {
  test('goes before the text', () => {
    host.innerHTML = `<p>before</p><p id="code">${code}</p>`;
    getSelection()?.selectAllChildren(document.getElementById('code') ?? host);
    expect(readDocument(1000)).toMatchObject({ selection: code, text: '' });
  });

  test('is cut off at the length that is asked for', () => {
    host.textContent = code;
    getSelection()?.selectAllChildren(host);
    expect(readDocument(8).selection).toBe(code.slice(0, 8));
  });

  test.each(['input', 'textarea'] as const)('is found in a focused %s', (name) => {
    const field = document.createElement(name);
    host.append(field);
    field.value = `Code: ${code}`;
    field.focus();
    field.setSelectionRange(6, 6 + code.length);
    expect(readDocument(1000).selection).toBe(code);
  });

  test('is found in a field in a shadow root', () => {
    const field = document.createElement('input');
    host.attachShadow({ mode: 'open' }).append(field);
    field.value = code;
    field.focus();
    field.select();
    expect(readDocument(1000).selection).toBe(code);
  });

  test('in a password field is not read', () => {
    const field = document.createElement('input');
    field.type = 'password';
    host.append(field);
    field.value = 'secret';
    field.focus();
    field.select();
    const { selection, text } = readDocument(1000);
    expect(selection + text).not.toContain('secret');
  });
});
