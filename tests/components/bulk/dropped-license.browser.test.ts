import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import BulkInput from '#components/bulk/BulkInput.vue';
import { drag } from '#tests/components/drag';
import { mountBulk, mounting, type PageHarness } from '#tests/components/mounted';
import { succeed } from '#core/result';
import { code, connection, otherCode } from '#tests/stores/check/samples';

const license = `eyJsaWNlbnNlX2lkIjoiTC0xIiwicHJvZHVjdF9zbHVnIjoib3JiaXQifQ.${'A'.repeat(86)}`;

function bulkInput(): PageHarness {
  return mounting(BulkInput, {
    script: { 'connections.list': () => [connection()] },
  });
}

test('a license that is dropped on the bulk check goes to the verifier', async () => {
  const harness = bulkInput();
  drag('drop', document.body, new File([`{"license":"${license}"}`], 'state.json'));
  await expect.poll(() => harness.inspected).toEqual(['state.json']);
  await expect.element(page.getByText('state.json')).not.toBeInTheDocument();
});

test.each([
  ['orders.csv', `order;code\n1;${code}\n2;${otherCode}\n`],
  ['with-licenses.csv', `order;code;license\n1;${code};${license}\n`],
  ['large.txt', `${license}\n`.repeat(2000)],
])('the list %s stays there', async (name, text) => {
  const harness = bulkInput();
  drag('drop', document.body, new File([text], name));
  await expect.element(page.getByText(name)).toBeVisible();
  expect(harness.inspected).toEqual([]);
});

test('of several files that are dropped the first is read, and the page says so', async () => {
  bulkInput();
  const list = (each: string): string => `order;code\n1;${each}\n`;
  const files = [code, otherCode].map((each, at) => new File([list(each)], `${String(at)}.csv`));
  drag('drop', document.body, ...files);
  await expect.element(page.getByText('only the first file was read')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Check 1 code' })).toBeEnabled();
  await page.getByRole('button', { name: 'Remove the file' }).click();
  await page.getByRole('textbox', { name: /^Codes, or a file/ }).fill(code);
  await expect.element(page.getByText('only the first file was read')).not.toBeInTheDocument();
});

test('a large text that is pasted is a file, with what was in the field before; without it the field has the focus', async () => {
  bulkInput();
  const field = page.getByRole('textbox', { name: /^Codes, or a file/ });
  await field.fill(`${code}\n`);
  (field.element() as HTMLTextAreaElement).setSelectionRange(code.length + 1, code.length + 1);
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', `${otherCode}\n`.repeat(1000));
  field
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  await expect.element(page.getByRole('button', { name: 'Check 2 codes' })).toBeEnabled();
  const clear = document.querySelector<HTMLElement>('.bulk-file button');
  clear?.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveFocus();
});

test('a check of pasted text is named after its codes, and one of a file after the file', async () => {
  const names: string[] = [];
  mountBulk(BulkInput, {
    add: ({ name }) => {
      names.push(name);
      return Promise.resolve(succeed(undefined));
    },
  });
  const field = page.getByRole('textbox', { name: /^Codes, or a file/ });
  await field.fill(code);
  await page.getByRole('button', { name: 'Check 1 code' }).click();
  await expect.poll(() => names).toHaveLength(1);
  await field.fill(`${code}\n${otherCode}`);
  await page.getByRole('button', { name: 'Check 2 codes' }).click();
  await expect.poll(() => names).toHaveLength(2);
  // A short one is not written whole: a file that is saved has the name, too.
  await field.fill('License key: QX7-52-K9L');
  await page.getByRole('button', { name: 'Check 1 code' }).click();
  await expect.poll(() => names).toHaveLength(3);
  drag('drop', document.body, new File([code], 'orders.csv'));
  await page.getByRole('button', { name: 'Check 1 code' }).click();
  const short = `${code.slice(0, 4)}…${code.slice(-4)}`;
  await expect.poll(() => names).toEqual([short, `${short} +1`, 'Q…L', 'orders.csv']);
  // A file may have the name that a long pasted text is shown under.
  drag('drop', document.body, new File([code], 'Pasted text'));
  await page.getByRole('button', { name: 'Check 1 code' }).click();
  await expect.poll(() => names[4]).toBe('Pasted text');
});
