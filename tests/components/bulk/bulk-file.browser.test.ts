import { expect, onTestFinished, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';

import '#components/ui/desk-pages.css';
import BulkInput from '#components/bulk/BulkInput.vue';
import { fail, succeed } from '#core/result';
import { jobsPort } from '#stores/bulk/ports';
import { mounting, noJobs } from '#tests/components/mounted';
import { code, connection, demo, otherCode } from '#tests/stores/check/samples';
import type { JobsPort } from '#core/jobs/index';

const path = './orders-of-a-test.csv';

test('a check of a file on disk that changed since it was chosen is one of what was read', async () => {
  onTestFinished(() => commands.removeFile(path));
  const add = vi.fn<JobsPort<Blob>['add']>(() => Promise.resolve(succeed(undefined)));
  mounting(BulkInput, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) => app.provide(jobsPort, { ...noJobs, add }),
  });
  await commands.writeFile(path, `order;code\n1;${code}\n`);
  await page.getByLabelText('Choose a file').upload(path);
  const start = page.getByRole('button', { name: 'Check 1 code' });
  await expect.element(start).toBeEnabled();
  await commands.writeFile(path, `order;code\n1;${code}\n2;${otherCode}\n`);
  await start.click();
  await expect.poll(() => add).toHaveBeenCalledOnce();
  const [, rows, source] = add.mock.calls[0] ?? [];
  expect(rows?.map((row) => row.code)).toEqual([code]);
  expect(await source?.file.text()).toBe(`order;code\n1;${code}\n`);
});

test.each([
  'Hello, my code does not work. Thanks',
  'Hello, my code does not work.\nThanks, Ada',
  'a,b\n1,2\n3,4\n5,6\n7,8',
])('a text in which no column holds a code is asked for none: %j', async (text) => {
  mounting(BulkInput, { script: { 'connections.list': () => [connection()] } });
  await page.getByRole('textbox', { name: 'Codes, or a file with codes' }).fill(text);
  await expect.element(page.getByText('There is no purchase code in it.')).toBeVisible();
  expect(page.getByRole('combobox', { name: 'Column with the codes' }).query()).toBeNull();
  await expect.element(page.getByRole('button', { name: 'Check', exact: true })).toBeDisabled();
});

test.each(['Control', 'Meta'])('by keyboard: %s and Enter start the check', async (key) => {
  const add = vi.fn<JobsPort<Blob>['add']>(() => Promise.resolve(succeed(undefined)));
  mounting(BulkInput, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) => app.provide(jobsPort, { ...noJobs, add }),
  });
  const field = page.getByRole('textbox', { name: 'Codes, or a file with codes' });
  await field.click();
  await userEvent.keyboard(`{${key}>}{Enter}{/${key}}`);
  await field.fill(code);
  const start = page.getByRole('button', { name: 'Check 1 code' });
  await expect.element(start).toBeEnabled();
  await expect.element(start).toHaveAttribute('title', 'Start the check (Ctrl + Enter)');
  expect(add).not.toHaveBeenCalled();
  await userEvent.keyboard(`{${key}>}{Enter}{/${key}}`);
  await expect.poll(() => add).toHaveBeenCalledOnce();
});

/** Drops a file on the field of a bulk check. */
function given(name: string, ...content: BlobPart[]): void {
  mounting(BulkInput, {
    script: { 'connections.list': () => [connection()] },
  });
  const transfer = new DataTransfer();
  transfer.items.add(new File(content, name));
  const chooser = document.querySelector<HTMLInputElement>('input[type=file]');
  if (chooser === null) throw new Error('There is no field for files.');
  chooser.files = transfer.files;
  chooser.dispatchEvent(new Event('change'));
}

test('a workbook is named as what it is, with what to do', async () => {
  given('orders.xlsx', 'PK\u0003\u0004', '\0'.repeat(26), 'xl/workbook.xml');
  await expect
    .element(page.getByText('This file is a spreadsheet in Excel format.', { exact: false }))
    .toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Check', exact: true })).toBeDisabled();
});

test('a table of HTML under the name of a workbook is read', async () => {
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = row('Order', 'Name', 'Code') + row('1', 'R&eacute;n&eacute;e', code);
  const style = '<style>td { mso-number-format: "\\@" }</style>';
  given(
    'orders.xls',
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8">${style}</head>`,
    `<body><table>${rows}${row('2', 'Bo', `<b>${otherCode}</b>`)}</table></body></html>`,
  );
  await expect.element(page.getByRole('button', { name: 'Check 2 codes' })).toBeEnabled();
  await expect
    .element(page.getByRole('combobox', { name: 'Column with the codes' }))
    .toHaveValue('2');
});

test('cells of an HTML table that reach over rows and columns move no code into another column', async () => {
  const orders =
    `<tr><td rowspan="2">1</td><td>Ada</td><td>${code}</td></tr><tr><td>Ada</td><td>${otherCode}</td></tr>` +
    `<tr><td colspan="2">2, Bo</td><td>${code.replace('8678', '9999')}</td></tr>`;
  given(
    'orders.xls',
    `<html><body><table><tr><td>Order</td><td>Name</td><td>Code</td></tr>${orders}</table></body></html>`,
  );
  await expect.element(page.getByRole('button', { name: 'Check 3 codes' })).toBeEnabled();
  await expect
    .element(page.getByRole('combobox', { name: 'Column with the codes' }))
    .toHaveValue('2');
});

test('a page with more beside its tables is read as text, so that nothing of it is left out', async () => {
  given('mail.html', `<html><body><p>My code is ${code}</p><table><tr><td>Bye</td></tr></table>`);
  await expect.element(page.getByRole('button', { name: 'Check 1 code' })).toBeEnabled();
});

test('a quote that is never closed loses no row, and is told', async () => {
  given('orders.csv', `order;code\n"1;${code}\n2;${otherCode}\n`);
  await expect
    .element(page.getByText('A quotation mark in line 2 is never closed.', { exact: false }))
    .toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Check 2 codes' })).toBeEnabled();
});

test('the button that starts a check keeps its place as codes come, whatever the width', async () => {
  mounting(BulkInput, { script: { 'connections.list': () => [connection(), demo] } });
  const start = page.getByRole('button', { name: /^Check( 2 codes)?$/u });
  const field = page.getByRole('textbox', { name: 'Codes, or a file with codes' });
  const places: [width: number, top: number, right: number][][] = [[], []];
  for (const width of [360, 560, 640, 700, 740, 760, 800, 840, 1020, 1280]) {
    await page.viewport(width, 800);
    for (const [at, text] of ['', `${code}\n${otherCode}\n${code}`].entries()) {
      await field.fill(text);
      if (at === 0) await expect.element(start).toBeDisabled();
      else await expect.element(start).toHaveTextContent('Check 2 codes');
      const { top, right } = start.element().getBoundingClientRect();
      places[at]?.push([width, top, right]);
    }
  }
  expect(places[1]).toEqual(places[0]);
});

test('the button stands beside the fields as long as the field for an item can shrink', async () => {
  await page.viewport(720, 800);
  mounting(BulkInput, { script: { 'connections.list': () => [connection(), demo] } });
  await page.getByRole('textbox', { name: 'Codes, or a file with codes' }).fill(code);
  const start = page.getByRole('button', { name: 'Check 1 code' });
  await expect.element(start).toBeEnabled();
  const select = page.getByRole('combobox', { name: 'Connection' });
  expect(start.element().getBoundingClientRect().top).toBeLessThan(
    select.element().getBoundingClientRect().bottom,
  );
});

test.each([360, 800, 1280])(
  'at %i px an expected item that is none stays in its field, and the button starts nothing and keeps its place',
  async (width) => {
    await page.viewport(width, 800);
    const add = vi.fn<JobsPort<Blob>['add']>(() => Promise.resolve(succeed(undefined)));
    mounting(BulkInput, {
      script: {
        'connections.list': () => [connection()],
        'items.all': () => fail({ kind: 'offline' }),
      },
      ports: (app) => app.provide(jobsPort, { ...noJobs, add }),
    });
    await page.getByRole('textbox', { name: 'Codes, or a file with codes' }).fill(code);
    const start = page.getByRole('button', { name: 'Check 1 code' });
    await expect.element(start).toBeEnabled();
    const place = start.element().getBoundingClientRect();
    const field = page.getByRole('combobox', { name: 'Expected item' });
    await field.fill('Queue');
    const note = page.getByText(/^No items could be fetched/);
    await expect.element(note).toBeVisible();
    expect(getComputedStyle(note.element()).fontWeight).toBe('400');
    expect(start.element().getBoundingClientRect()).toEqual(place);
    await start.click();
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue('Queue');
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    expect(start.element().getBoundingClientRect()).toEqual(place);
    expect(add).not.toHaveBeenCalled();
    await field.fill('');
    await start.click();
    await expect.poll(() => add).toHaveBeenCalledOnce();
  },
);

test.each([360, 1280])('while codes are read, nothing moves: %i pixels', async (width) => {
  await page.viewport(width, 800);
  mounting(BulkInput, { script: { 'connections.list': () => [connection()] } });
  const field = page.getByRole('textbox', { name: 'Codes, or a file with codes' });
  await field.fill(' ');
  const start = page.getByRole('button', { name: /^Check/ });
  const places = new Set([start.element().getBoundingClientRect().y]);
  let wasRead = false;
  const observer = new MutationObserver(() => {
    wasRead ||= document.querySelector('progress') !== null;
    places.add(start.element().getBoundingClientRect().y);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => {
    observer.disconnect();
  });
  await field.fill(code);
  await expect.element(start).toHaveTextContent('Check 1 code');
  expect(wasRead).toBe(true);
  expect([...places]).toHaveLength(1);
});

test('what was left out is on the line of the count, and says what it was once pressed', async () => {
  await page.viewport(1280, 800);
  mounting(BulkInput, { script: { 'connections.list': () => [connection()] } });
  await page
    .getByRole('textbox', { name: 'Codes, or a file with codes' })
    .fill(`Hello,\nmy code ${code}\nand LIC-MK9R-YDZS-ED3J-JSTF`);
  const count = page.getByText('1 code', { exact: true });
  const leftOut = page.getByRole('button', { name: 'Left out: 1' });
  await expect.element(leftOut).toHaveAttribute('aria-expanded', 'false');
  const ends = leftOut.element().getBoundingClientRect().bottom;
  expect(Math.abs(ends - count.element().getBoundingClientRect().bottom)).toBeLessThan(3);
  const line = page.getByText(/^Line 3: LIC-MK9R-YDZS-ED3J-JSTF/u);
  expect(line.query()).toBeNull();
  await leftOut.click();
  await expect.element(line).toBeVisible();
  await expect.element(leftOut).toHaveAttribute('aria-expanded', 'true');
  await leftOut.click();
  expect(line.query()).toBeNull();
});
