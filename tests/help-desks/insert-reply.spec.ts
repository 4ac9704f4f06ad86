import type { Locator, Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { HelpDesk } from '#tests/help-desks/help-desk';
import { startRedmine } from '#tests/help-desks/redmine';
import { startRequestTracker } from '#tests/help-desks/request-tracker';
import { startRoundcube } from '#tests/help-desks/roundcube';
import { allowHelpDesk, chipsOf, expect, test as base } from '#tests/support/ticket';

const code = sampleCodes('/demo').lapsed;

/** Returns the words of a text: editors and mails break lines and indent in their own way. */
const words = (text: string): string => text.replace(/[\s\u200b\ufeff>]+/gu, ' ').trim();

const holds = async (editor: Locator): Promise<string> =>
  words(
    await editor.evaluate((element) =>
      element.localName === 'textarea'
        ? (element as HTMLTextAreaElement).value
        : (element as HTMLElement).innerText,
    ),
  );

for (const [name, start] of [
  ['Request Tracker', startRequestTracker],
  ['Roundcube', startRoundcube],
  ['Redmine', startRedmine],
] as const) {
  const test = base.extend<{ agent: Page; openPanel: () => Promise<Page> }, { helpDesk: HelpDesk }>(
    {
      helpDesk: [
        // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
        async ({}, use) => {
          const helpDesk = await start();
          await use(helpDesk);
          await helpDesk.close();
        },
        { scope: 'worker', timeout: 600_000 },
      ],

      /** Opens a panel that shows the verdict. It stays behind the agent's page, in place of that of the window. */
      openPanel: async ({ agent, connect, extension }, use) => {
        await connect('/demo');
        await use(async () => {
          const panel = await extension.open('sidepanel.html');
          await panel.getByRole('textbox', { name: 'Purchase code' }).fill(code);
          await panel.keyboard.press('Enter');
          await panel.locator('[data-verdict="lapsed"]:not([aria-busy])').first().waitFor();
          await panel.getByRole('button', { name: 'Copy reply' }).waitFor();
          await agent.bringToFront();
          return panel;
        });
      },

      /** A page that is logged in. */
      agent: async ({ extension, helpDesk }, use) => {
        const page = await extension.now.context.newPage();
        // Tall enough to show the messages below a ticket's fields.
        await page.setViewportSize({ width: 1280, height: 2000 });
        await helpDesk.logIn(page);
        await use(page);
      },
    },
  );
  test.describe.configure({ timeout: 600_000 });

  const insert = async (panel: Page): Promise<void> => {
    const button = panel.getByRole('button', { name: 'Insert reply' });
    await expect(button).toBeAttached();
    await button.dispatchEvent('click');
  };
  const replyIn = async (panel: Page): Promise<string> =>
    words((await panel.locator('[data-reply]').first().textContent()) ?? '');

  for (const kind of ['rich', 'plain'] as const)
    test(`${name}: a reply stands at the caret of the ${kind} editor, goes by one undo, and is sent`, async ({
      agent,
      openPanel,
      extension,
      helpDesk,
    }) => {
      await allowHelpDesk(extension, helpDesk.origin);
      const panel = await openPanel();
      const { type, open } = helpDesk.editors[kind];
      const lines = [`My code is ${code}.`, 'Is it still supported?'];
      const text = type === 'text/html' ? `<p>${lines.join('</p><p>')}</p>` : lines.join('\n');
      const ticket = await helpDesk.createTicket({ subject: 'Support', type, text });
      const editor = await open(agent, ticket);
      await editor.click();
      await agent.keyboard.press('Control+Home');
      await agent.keyboard.type('Before. After.');
      // An undo may put the caret elsewhere.
      const toAfter = async (): Promise<void> => {
        await agent.keyboard.press('Control+Home');
        for (const _ of 'Before. ') await agent.keyboard.press('ArrowRight');
      };
      await toAfter();
      const before = await holds(editor);
      expect(before).toContain('Before. After.');

      await insert(panel);
      await expect(panel.getByText('Inserted into the reply field.')).toBeAttached();
      const reply = await replyIn(panel);
      expect(reply).toContain('Its support ended');
      const after = before.replace('Before. ', () => `Before. ${reply}`);
      expect((await holds(editor)).replaceAll(' ', '')).toBe(after.replaceAll(' ', ''));

      await agent.keyboard.press('Control+Z');
      await expect.poll(() => holds(editor)).toBe(before);
      await toAfter();
      await insert(panel);
      await expect.poll(() => holds(editor)).toContain('Its support ended');
      const sent = words(await helpDesk.send(agent, ticket)).replaceAll(' ', '');
      expect(sent).toContain(`Before. ${reply}After.`.replaceAll(' ', ''));
    });

  test(`${name}: the code in a ticket has its chip, and without permission or an open field a reply is copied`, async ({
    agent,
    openPanel,
    extension,
    helpDesk,
  }) => {
    const ticket = await helpDesk.createTicket({
      subject: 'Support',
      type: 'text/html',
      text: `<p>My code is ${code}.</p>`,
    });
    const panelBefore = await openPanel();
    await helpDesk.openTicket(agent, ticket);
    await expect(panelBefore.getByRole('button', { name: 'Insert reply' })).toHaveCount(0);
    await allowHelpDesk(extension, helpDesk.origin);
    const panel = await openPanel();
    await helpDesk.openTicket(agent, ticket);
    await expect.poll(async () => (await chipsOf(agent)).map((chip) => chip.code)).toEqual([code]);

    await insert(panel);
    await expect(panel.getByText('No open reply field was found')).toBeAttached();
    await agent.goto('about:blank');
    await agent.setContent('<textarea></textarea>');
    await agent.locator('textarea').press('Control+V');
    expect(words(await agent.locator('textarea').inputValue())).toBe(await replyIn(panel));
  });
}
