import type { Page } from '@playwright/test';

import { expect, test as base } from '#tests/support/ticket';
import { problemsInLightAndDark } from '#tests/support/accessibility';
import { takeTab } from '#tests/support/tabs';

const test = base.extend<{ beside: { readonly panel: Page; readonly ticket: Page } }>({
  /** A ticket beside a panel that follows it: a panel's page in a tab behind stands in for the panel of the window. */
  beside: async ({ connectAtDesk, extension, desk }, use) => {
    await connectAtDesk(['/demo']);
    const panel = await extension.open('sidepanel.html');
    const ticket = await takeTab(extension.now.context);
    await ticket.goto(`${desk}/tickets/1042`);
    await ticket.bringToFront();
    await expect(panel.locator('.answers [data-verdict="lapsed"]:not([aria-busy])')).toBeAttached();
    await use({ panel, ticket });
  },
});

const insert = (panel: Page): Promise<void> =>
  panel.getByRole('button', { name: 'Insert reply' }).dispatchEvent('click');

test('a reply goes into the open reply field, can be undone there, and without one is copied; a page learns nothing but the reply, whatever it watches or has put in place', async ({
  beside: { panel, ticket },
}) => {
  const field = ticket.getByLabel('Reply');
  const note = ticket.getByLabel('Internal note');

  await expect(panel.getByRole('button', { name: 'Insert reply' })).toBeAttached();
  await panel.setViewportSize({ width: 320, height: 700 });
  expect(await problemsInLightAndDark(panel)).toEqual([]);

  // Two editors are seen and none has the focus: nothing is guessed.
  await insert(panel);
  await expect(panel.getByText('No open reply field was found')).toBeAttached();
  await expect(field).toHaveValue('');
  await expect(note).toHaveText('Note:');

  await field.fill('Hi! ');
  await insert(panel);
  await expect(panel.getByText('Inserted into the reply field.')).toBeAttached();
  await expect(field).toHaveValue(/^Hi! Hello,[\s\S]*Its support ended/u);
  await field.focus();
  await ticket.keyboard.press('Control+Z');
  await expect(field).not.toHaveValue(/Hello/u);

  await note.focus();
  await insert(panel);
  await expect(note).toContainText('Its support ended');

  await field.fill('');
  await ticket.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const note = (name: string, value: unknown): void => {
      if (typeof value === 'string' && value !== '') seen.push(`${name}: ${value}`);
    };
    for (const type of ['message', 'beforeinput', 'input', 'paste', 'focusin', 'keydown'])
      addEventListener(
        type,
        (event) => {
          note(type, (event as InputEvent).data);
        },
        true,
      );
    // What the page exchanges in its own world is not what our function calls.
    Object.assign(document, { execCommand: (...all: unknown[]) => seen.push(all.join()) > 0 });
    HTMLTextAreaElement.prototype.setRangeText = (text) => {
      note('setRangeText', text);
    };
    const trap = document.createElement('form');
    trap.setAttribute('name', 'execCommand');
    document.body.append(trap);
  });
  await ticket.getByLabel('Reply').focus();
  await insert(panel);
  await expect(ticket.getByLabel('Reply')).toHaveValue(/Its support ended/u);
  const reply = await ticket.getByLabel('Reply').inputValue();
  const seen = await ticket.evaluate(() => (window as unknown as { seen: string[] }).seen);
  const learned = seen.map((each) => each.replace(/^\w+: /u, ''));
  expect(learned.length).toBeGreaterThan(0);
  for (const each of learned) expect(reply).toContain(each);
});
