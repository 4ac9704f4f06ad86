import type { Page } from '@playwright/test';

import { codes as eddCodes } from '#sandbox/marketplaces/easy-digital-downloads';
import { codes as envatoCodes } from '#sandbox/marketplaces/envato';
import { codes as gumroadCodes } from '#sandbox/marketplaces/gumroad';
import { codes as lemonSqueezyCodes } from '#sandbox/marketplaces/lemon-squeezy';
import { codes as polarCodes } from '#sandbox/marketplaces/polar';
import { marketplaceDraft } from '#tests/support/marketplaces';
import { expect, test } from '#tests/support/extension';
import { connectionChoice, enterCode } from '#tests/support/pages/popup-page';
import { withQuietPage } from '#tests/support/quiet-page';

const envato = envatoCodes;
const gumroad = gumroadCodes;
const lemon = lemonSqueezyCodes;
const polar = polarCodes;
const edd = eddCodes;
const notFound = 'No such purchase on this account';
const void_ = 'The purchase is known here, and does not count any more';

/** What each answer of a marketplace says to the agent, by connection: the code, the verdict, and the sentences. */
const answers = {
  'Envato wrong': [
    [
      envato.supported,
      'fault',
      'Envato wrong does not accept the API key',
      'Wrong authorization header',
    ],
  ],
  'Envato limited': [
    [
      envato.supported,
      'fault',
      'The API key of Envato limited lacks a permission',
      "It lacks “View the user's items' sales history”.",
    ],
  ],
  Envato: [
    [envato.unknown, 'not-found', notFound, 'No sale belonging to the current user'],
    [envato.guest, 'supported', 'Supported until', 'Regular'],
    [envato.lapsed, 'lapsed', 'Genuine, support ended', 'harbourmaster'],
    [envato.noSupport, 'no-support', 'Genuine, without support', 'No support was bought'],
  ],
  'Gumroad wrong': [
    [gumroad.genuine, 'fault', 'Gumroad wrong does not accept the API key', 'HTTP 401'],
  ],
  'Gumroad limited': [
    [
      gumroad.genuine,
      'fault',
      'The API key of Gumroad limited lacks a permission',
      'It lacks “view_sales”.',
    ],
  ],
  Gumroad: [
    [gumroad.unknown, 'not-found', notFound, 'That license does not exist'],
    [gumroad.genuine, 'untold', 'Genuine', 'This marketplace tells no support period'],
    [gumroad.refunded, 'refunded', 'Refunded', void_],
    [gumroad.disputed, 'disputed', 'Payment disputed', void_],
    [gumroad.chargedBack, 'charged-back', 'Charged back', void_],
    [gumroad.disabled, 'disabled', 'Code disabled', void_],
    [gumroad.ended, 'ended', 'Subscription ended', 'Ended on'],
    [gumroad.test, 'test', 'Test purchase', 'Made in test mode, without a payment'],
  ],
  'Lemon Squeezy': [
    [lemon.unknown, 'not-found', notFound, 'license_key not found.'],
    [lemon.otherStore, 'not-found', notFound, 'This can mean'],
    [lemon.inactive, 'untold', 'Genuine', 'This marketplace tells no support period'],
    [lemon.disabled, 'disabled', 'Code disabled', void_],
    [lemon.expired, 'expired', 'License expired', ''],
    [lemon.test, 'test', 'Test purchase', 'Made in test mode, without a payment'],
  ],
  Polar: [
    [polar.unknown, 'not-found', notFound, 'Not found'],
    [polar.limited, 'untold', 'Genuine', 'This marketplace tells no support period'],
    [polar.revoked, 'disabled', 'Code disabled', void_],
    [polar.expired, 'expired', 'License expired', ''],
    [polar.refunded, 'refunded', 'Refunded', void_],
  ],
  'Easy Digital Downloads': [
    [edd.unknown, 'not-found', notFound, ''],
    [edd.elsewhere, 'untold', 'Genuine', 'Harbour Forms'],
    [edd.expired, 'expired', 'License expired', ''],
    [edd.disabled, 'disabled', 'Code disabled', void_],
    [edd.wantsItem, 'untold', 'Genuine', 'Harbour Forms'],
  ],
  'Polar without a key': [[polar.granted, 'untold', 'Genuine', 'Benefit 8d4c7a10']],
} as const;

/** The limit is told last: nothing is asked at that place until its moment. */
const limits = [
  // A choice of connection asks about the code in the field, and the answer is kept: this one is new there.
  ['Envato', '/envato', lemon.active],
  ['Gumroad', '/gumroad', gumroad.secondProduct],
  ['Lemon Squeezy', '/lemon-squeezy', lemon.active],
  ['Polar', '/polar', polar.withoutOrder],
] as const;

/** What the test of a connection says. */
const tests = [
  ['Envato', 'fenwick'],
  ['Envato wrong', 'It said “Wrong authorization header”. Enter the key again.'],
  ['Envato limited', "It lacks “View the user's items' sales history”."],
  ['Envato nameless', 'It lacks “View your Envato Account username”.'],
  ['Gumroad', 'Ada Fenwick'],
  ['Gumroad wrong', 'It said “HTTP 401”. Enter the key again.'],
  ['Gumroad limited', 'It lacks “view_sales”.'],
  ['Lemon Squeezy', 'Ada Fenwick'],
  ['Lemon Squeezy wrong', 'It said “Unauthenticated.”. Enter the key again.'],
  ['Easy Digital Downloads', 'The key works.'],
  ['Easy Digital Downloads wrong', 'It said “Invalid API key!”'],
  ['Easy Digital Downloads limited', 'It lacks “view_shop_reports”.'],
  ['Polar', 'Fenwick'],
  ['Polar without a key', 'It answers without a key.'],
  ['Polar wrong', 'The access token provided is expired'],
  ['Polar limited', 'It lacks “orders:read”.'],
] as const;

async function check(popup: Page, name: string, code: string): Promise<void> {
  await connectionChoice(popup).selectOption({ label: name });
  await enterCode(popup, code);
}

test('what each marketplace says against a token, a request or a purchase is worded', async ({
  extension,
  sandbox,
}) => {
  test.setTimeout(400_000);
  await withQuietPage(extension.now, async ({ permit, ask }) => {
    await permit(sandbox.origin);
    const add = async (...entry: Parameters<typeof marketplaceDraft>): Promise<void> => {
      const saved = await ask('connections.save', marketplaceDraft(...entry));
      if (!saved.ok) throw new Error(saved.fault.kind);
    };
    const wrong = { apiKey: 'not-the-token-of-anybody' };
    await add(sandbox, 'envato', { name: 'Envato' });
    await add(sandbox, 'envato', { name: 'Envato wrong', ...wrong });
    await add(sandbox, 'envato', {
      name: 'Envato limited',
      apiKey: sandbox.token('/envato', 'limited'),
    });
    await add(sandbox, 'envato', {
      name: 'Envato nameless',
      apiKey: sandbox.token('/envato', 'nameless'),
    });
    await add(sandbox, 'gumroad');
    await add(sandbox, 'gumroad', { name: 'Gumroad wrong', ...wrong });
    await add(sandbox, 'gumroad', {
      name: 'Gumroad limited',
      apiKey: sandbox.token('/gumroad', 'limited'),
    });
    await add(sandbox, 'lemon-squeezy');
    await add(sandbox, 'lemon-squeezy', { name: 'Lemon Squeezy wrong', ...wrong });
    await add(sandbox, 'easy-digital-downloads');
    await add(sandbox, 'easy-digital-downloads', {
      name: 'Easy Digital Downloads wrong',
      ...wrong,
    });
    await add(sandbox, 'easy-digital-downloads', {
      name: 'Easy Digital Downloads limited',
      apiKey: sandbox.token('/easy-digital-downloads', 'limited'),
    });
    await add(sandbox, 'polar');
    await add(sandbox, 'polar', { name: 'Polar without a key', apiKey: '' });
    await add(sandbox, 'polar', { name: 'Polar wrong', ...wrong });
    await add(sandbox, 'polar', {
      name: 'Polar limited',
      apiKey: sandbox.token('/polar', 'limited'),
    });
  });

  const options = await extension.open('options.html');
  for (const [name, says] of tests) {
    const card = options.getByRole('article', { name, exact: true });
    await card.getByRole('button', { name: 'Test connection' }).click();
    await expect(card.locator('[data-connection-test]'), name).toContainText(says);
  }

  const popup = await extension.open('popup.html');
  for (const [name, list] of Object.entries(answers)) {
    for (const [code, verdict, title, why] of list) {
      await check(popup, name, code);
      const card = popup.locator(`[data-verdict="${verdict}"], [data-because="${verdict}"]`);
      await expect(card, code).toContainText(title);
      await expect(card, code).toContainText(why);
      await expect(card, code).not.toHaveAttribute('aria-busy');
      // A guest is nobody.
      if (code === envato.guest) await expect(popup.getByText('Buyer')).toHaveCount(0);
    }
  }
  for (const [name, base, code] of limits) {
    await sandbox.injectFault(base, { fault: 'too-many-429', retryAfter: 600 });
    await check(popup, name, code);
    const card = popup.locator('[data-fault="rate-limited"]');
    await expect(card).toContainText(/Asking again in \d+ s/);
    await expect(card).toContainText(name);
  }
});
