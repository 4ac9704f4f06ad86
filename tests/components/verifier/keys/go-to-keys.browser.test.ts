import { expect, test } from 'vitest';

import { goToKeys } from '#components/verifier/keys/go-to-keys';

test('a dialog over the page is closed on the way to the keys', () => {
  document.body.innerHTML = `
    <button>Open</button>
    <details class="keys"><summary>Keys</summary><form><textarea></textarea></form></details>
    <dialog><button>Go to pinned keys</button></dialog>`;
  document.querySelector('button')?.focus();
  const dialog = document.querySelector('dialog');
  dialog?.showModal();
  goToKeys('field');
  expect(dialog?.open).toBe(false);
  expect(document.activeElement).toBe(document.querySelector('textarea'));
});
