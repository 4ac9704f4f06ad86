import { createApp, type Ref } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { useFileDrop } from '#components/files';
import { drag } from '#tests/components/drag';

let root: HTMLElement;
let field: HTMLTextAreaElement;
let taken: string[];
let hovering: Readonly<Ref<boolean>>;
let unmount: () => void;

function mount(withText: boolean): void {
  const app = createApp({
    setup() {
      hovering = useFileDrop({
        files: ({ files }) => taken.push(...Array.from(files, ({ name }) => name)),
        ...(withText ? { text: (text: string) => taken.push(text) } : {}),
      });
      return () => undefined;
    },
  });
  app.mount(root);
  unmount = () => {
    app.unmount();
  };
}

beforeEach(() => {
  taken = [];
  root = document.createElement('div');
  field = document.createElement('textarea');
  document.body.append(root, field);
});

afterEach(() => {
  unmount();
  document.body.replaceChildren();
});

const file = new File(['{}'], 'one.json');

test('a file is taken wherever it is dropped, in a field as well', () => {
  mount(false);
  expect(drag('dragover', field, file)).toBe(true);
  expect(hovering.value).toBe(true);
  expect(drag('drop', field, file)).toBe(true);
  expect(drag('drop', root, file)).toBe(true);
  expect(hovering.value).toBe(false);
  expect(taken).toEqual(['one.json', 'one.json']);
});

test('text is taken beside a field, and left to the field it is dropped into', () => {
  mount(true);
  expect(drag('dragover', root, 'a code')).toBe(true);
  expect(drag('drop', root, 'a code')).toBe(true);
  expect(drag('dragover', field, 'another')).toBe(false);
  expect(drag('drop', field, 'another')).toBe(false);
  expect(hovering.value).toBe(false);
  expect(taken).toEqual(['a code']);
});

test('text is left alone where nobody takes text', () => {
  mount(false);
  expect(drag('dragover', root, 'a code')).toBe(false);
  expect(drag('drop', root, 'a code')).toBe(false);
  expect(taken).toEqual([]);
});

test('leaving the page ends the hover, and so does unmounting the listening', () => {
  mount(true);
  drag('dragover', root, file);
  drag('dragleave', root, file);
  expect(hovering.value).toBe(false);
  unmount();
  expect(drag('drop', root, file)).toBe(false);
  expect(taken).toEqual([]);
});
