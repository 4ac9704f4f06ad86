import { marketplaceIds } from '#core/marketplaces/index';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { expect, test } from '#tests/support/extension';
import { marketplaceDraft } from '#tests/support/marketplaces';
import { connectionChoice, enterCode } from '#tests/support/pages/popup-page';
import { expectations } from '#tests/support/expectations';
import { withQuietPage } from '#tests/support/quiet-page';

/** The connections to each marketplace, by the kind of their token, and what is expected of them. */
const marketplaces = marketplaceIds.map((id) => {
  const { title } = emulations[id];
  const { connections, unasked } = expectations[id];
  const expected = Object.entries(connections).map(([kind, one]) => ({
    kind,
    name: kind === 'whole' ? title : `${title} ${kind}`,
    ...one,
  }));
  return { id, title, unasked, expected };
});

test('what each marketplace says against a token, a request or a purchase is worded', async ({
  extension,
  sandbox,
}) => {
  const keys = new Map([
    ['wrong', 'not-the-token-of-anybody'],
    ['none', ''],
  ]);
  await withQuietPage(extension.now, async ({ permit, ask }) => {
    await permit(sandbox.origin);
    for (const { id, expected } of marketplaces)
      for (const { kind, name } of expected) {
        const apiKey = keys.get(kind) ?? sandbox.token(`/${id}`, kind);
        const saved = await ask(
          'connections.save',
          marketplaceDraft(sandbox, id, { name, apiKey }),
        );
        if (!saved.ok) throw new Error(saved.fault.kind);
      }
  });

  const options = await extension.open('options.html');
  for (const { name, test: says } of marketplaces.flatMap(({ expected }) => expected)) {
    if (says === undefined) continue;
    const card = options.getByRole('article', { name, exact: true });
    await card.getByRole('button', { name: 'Test connection' }).click();
    await expect(card.locator('[data-connection-test]'), name).toContainText(says);
  }

  const popup = await extension.open('popup.html');
  for (const { id, title, unasked, expected } of marketplaces)
    await test.step(title, async () => {
      for (const { name, answers = [] } of expected) {
        for (const [code, verdict, heading, why, absent] of answers) {
          await connectionChoice(popup).selectOption({ label: name });
          await enterCode(popup, code);
          const card = popup.locator(`[data-verdict="${verdict}"], [data-because="${verdict}"]`);
          await expect(card, code).toContainText(heading);
          await expect(card, code).toContainText(why);
          await expect(card, code).not.toHaveAttribute('aria-busy');
          if (absent !== undefined) await expect(popup.getByText(absent)).toHaveCount(0);
        }
      }

      // Last, since nothing is asked here until its moment. A choice asks about the code in the field, and its answer
      // is kept: this one is new.
      await connectionChoice(popup).selectOption({ label: title });
      await sandbox.injectFault(`/${id}`, { fault: 'too-many-429', retryAfter: 600 });
      await enterCode(popup, unasked);
      const card = popup.locator('[data-fault="rate-limited"]');
      await expect(card).toContainText(/Asking again in \d+ (?:s|minutes)/);
      await expect(card).toContainText(title);
    });
});
