import { expect, test } from 'vitest';
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
