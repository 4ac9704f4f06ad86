import type { Page } from '@playwright/test';

import { defaultDialect } from '#core/connections/index';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';
import { placeOf } from '#core/marketplaces/index';
import { emulations } from '#sandbox/marketplaces/marketplaces';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { ConnectionDraft } from '#messaging/topics/connections';
import type { TestSandbox } from '#tests/support/sandbox';

/**
 * Holds a code of each marketplace: that of the demo shop, then those of the marketplaces. `verdictOfEach` has the verdicts
 * on them.
 */
export const codeOfEach = [
  sampleCodes('/demo').supported,
  ...Object.values(emulations).map(({ codes }) => Object.values(codes)[0] ?? ''),
];
export const verdictOfEach = [
  'supported',
  ...Object.values(emulations).map(({ knowsSupport }) =>
    knowsSupport === true ? 'supported' : 'untold',
  ),
];
/** Holds what a customer writes who bought everywhere. */
export const ticketOfEach = `Hi, I own all of these:\n\n${codeOfEach.join('\n')}\n\nThank you`;

/** Returns a connection to one of the sandbox's marketplaces, as the form sends it. */
export function marketplaceDraft(
  sandbox: TestSandbox,
  marketplace: MarketplaceId,
  { apiKey, name }: { readonly apiKey?: string; readonly name?: string } = {},
): ConnectionDraft {
  const { title, store } = emulations[marketplace];
  const key = apiKey ?? sandbox.tokens[`/${marketplace}`].whole;
  return {
    name: name ?? title,
    marketplace,
    ...(store !== undefined && { store }),
    baseAddress: `${sandbox.origin}/${marketplace}`,
    ...(key !== '' && { apiKey: key }),
    dialect: { ...defaultDialect, keyPlacement: 'Authorization' },
  };
}

/**
 * Connects one of the sandbox's marketplaces through the form, as an agent does, and waits until its account is shown.
 */
export async function addMarketplace(
  options: Page,
  sandbox: TestSandbox,
  marketplace: MarketplaceId,
): Promise<void> {
  const { name, store, baseAddress, apiKey } = marketplaceDraft(sandbox, marketplace);
  await options.getByRole('button', { name: 'Add connection' }).first().click();
  await options.getByLabel('Where do you sell?').selectOption({ label: name });
  const descriptor = placeOf(marketplace);
  const label = descriptor.store?.label;
  if (label !== undefined) await options.getByLabel(label).fill(store ?? '');
  await options.getByLabel('API key', { exact: true }).fill(apiKey ?? '');
  // A shop's own address stands in the form itself.
  if (descriptor.baseAddress !== undefined)
    await options.getByText('Advanced: how this server expects requests').click();
  await options.getByLabel('Base address', { exact: true }).fill(baseAddress);
  await options.getByRole('button', { name: 'Save', exact: true }).click();
  const card = options.getByRole('article', { name, exact: true });
  await card.getByText('The key works.').waitFor();
}

/** Returns each shown verdict in the order of the page, in its most exact words. */
export function exactVerdicts(page: Page): Promise<(string | undefined)[]> {
  return page.locator('[data-verdict]:not([aria-busy])').evaluateAll((cards) =>
    cards.map((card) => {
      const { because, verdict } = (card as HTMLElement).dataset;
      return because ?? verdict;
    }),
  );
}
