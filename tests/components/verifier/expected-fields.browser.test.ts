import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { h, nextTick, reactive } from 'vue';

import ExpectedFields from '#components/verifier/ExpectedFields.vue';
import verifier from '#locales/en/verifier.json';
import { mounting } from '#tests/components/mounted';

/** Returns where the text of a node begins, in pixels. */
function textStart(node: Node | null | undefined): number {
  const range = document.createRange();
  range.selectNodeContents(node ?? document.body);
  return range.getClientRects()[0]?.left ?? NaN;
}

const cleared = {
  cleared: true,
  unreached: false,
  modelValue: { domain: '', productSlug: '', installationId: '' },
};

test('Put back leads the focus to the first of the claims', async () => {
  mounting(ExpectedFields, { script: {}, messages: verifier, props: cleared });
  const button = document.querySelector<HTMLElement>('.expected-cleared button');
  button?.focus();
  button?.click();
  await expect.poll(() => document.activeElement).toBe(document.querySelector('.expected input'));
});

test('Put back stands below the beginning of the line above it', () => {
  mounting(ExpectedFields, { script: {}, messages: verifier, props: cleared });
  const notice = document.querySelector('.expected-cleared');
  const button = notice?.querySelector('button');
  expect(notice?.firstChild?.textContent).toContain('These fields were cleared');
  expect(textStart(button?.firstChild)).toBe(textStart(notice?.firstChild));
});

test('folded beside a list, the fields open for what was cleared, and stay open while it is typed anew', async () => {
  const props = { ...cleared, folded: true };
  const isOpen = () => document.querySelector('details.expected')?.hasAttribute('open');
  mounting(ExpectedFields, { script: {}, messages: verifier, props: { ...props, cleared: false } });
  expect(isOpen()).toBe(false);
  const shown = reactive({ ...props });
  mounting(() => h(ExpectedFields, shown), { script: {}, messages: verifier });
  await expect.poll(isOpen).toBe(true);
  shown.cleared = false;
  await nextTick();
  expect(isOpen()).toBe(true);
});

/** Shows the fields; tells which domains they gave away, and types as a keyboard does, in no time. */
function typing() {
  const given: string[] = [];
  const shown = reactive({
    cleared: false,
    unreached: false,
    modelValue: cleared.modelValue,
    'onUpdate:modelValue': (claims: typeof cleared.modelValue) => {
      given.push(claims.domain);
      shown.modelValue = claims;
    },
  });
  mounting(() => h(ExpectedFields, shown), { script: {}, messages: verifier });
  const field = document.querySelector<HTMLInputElement>('.expected input');
  if (field === null) throw new Error('There is no field.');
  field.focus();
  const type = (text: string): void => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- keys that leave no pause between them
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  };
  return { given, shown, field, type };
}

test('a claim counts once typing pauses, or Tab or Enter is pressed, and not before', async () => {
  const { given, field, type } = typing();
  type('sh');
  type('op');
  expect(given).toEqual([]);
  await userEvent.keyboard('{Tab}');
  expect(given).toEqual(['shop']);
  await nextTick();
  field.focus();
  type('.');
  expect(given).toEqual(['shop']);
  await expect.poll(() => given).toEqual(['shop', 'shop.']);
  type('a');
  await userEvent.keyboard('{Enter}');
  expect(given).toEqual(['shop', 'shop.', 'shop.a']);
});

test('a claim does not count while a click that leaves its field is under way, but soon after', async () => {
  const { given, field, type } = typing();
  type('shop');
  field.blur();
  expect(given).toEqual([]);
  await expect.poll(() => given).toEqual(['shop']);
});

test('a claim counts at once if it is pasted, or removed', async () => {
  const { given, field, type } = typing();
  type('shop.example.com');
  field.select();
  await userEvent.cut();
  expect(given.at(-1)).toBe('');
  await userEvent.paste();
  expect(given.at(-1)).toBe('shop.example.com');
  field.select();
  type('');
  expect(given.at(-1)).toBe('');
});

test('claims that are replaced in the meantime replace what is being typed', async () => {
  const { given, shown, field, type } = typing();
  type('shop');
  shown.cleared = true;
  await nextTick();
  expect(field.value).toBe('shop');
  shown.modelValue = { ...cleared.modelValue };
  await nextTick();
  expect(field.value).toBe('');
  field.blur();
  expect(given).toEqual([]);
});
