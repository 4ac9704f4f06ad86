import { defineComponent, h, type VNode } from 'vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import HistorySettings from '#components/history/HistorySettings.vue';
import { replyCataloguesKey } from '#components/reply-templates/reply-catalogues';
import ReplyTemplatesPage from '#components/reply-templates/ReplyTemplatesPage.vue';
import { defaultDialect } from '#core/connections/index';
import type { HistoryPort } from '#core/history/index';
import type { Policy, PolicyState } from '#core/policy/index';
import type { ReplyCatalogue } from '#core/replies/index';
import type { ReplyTemplate } from '#core/reply-templates/index';
import { fail } from '#core/result';
import english from '#locales/en/replies.json';
import { historyPort } from '#stores/history/ports';
import { mounting } from '#tests/components/mounted';
import { options } from '#tests/components/settings/mounted-options';
import { connection } from '#tests/stores/check/samples';
import { createHeldAnswers } from '#tests/stores/held-answers';
import { defaultHistorySettings } from '#core/preferences/index';
import { type EntryIds, noEntries } from '#core/settings-import/index';

const set = 'Set by your organization';
const nothing: Policy = {
  format: 'counterfoil-settings',
  version: 2,
  connections: [],
  authorities: [],
  sites: [],
  keys: [],
};
const privacy = {
  pictures: false,
  maskCodes: true,
  selectionAtOnce: false,
  history: defaultHistorySettings,
};
const inForce = (policy: Partial<Policy>, locked: Partial<EntryIds> = {}): PolicyState => ({
  policy: { ...nothing, ...policy },
  locked: { ...noEntries, ...locked },
  fault: null,
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const toggle = (name: string) => page.getByRole('switch', { name });

beforeEach(async () => {
  await page.viewport(1024, 900);
});

describe('without a policy', () => {
  test('nothing is marked or locked', async () => {
    options([connection()]);
    await expect.element(button('Edit')).toBeVisible();
    await expect.element(page.getByText(set)).not.toBeInTheDocument();
    await expect.element(toggle('Show pictures')).toBeEnabled();
    await expect.element(page.getByRole('radio', { name: /For this session/ })).toBeEnabled();
  });
});

test('nothing is shown as the agent’s own until it is known what a policy sets', async () => {
  const answers = createHeldAnswers();
  options([connection()], {
    'policy.state': () => answers.hold(inForce({ privacy })),
  });
  await expect.element(page.getByRole('navigation').first()).toBeVisible();
  for (const role of ['switch', 'article', 'radio', 'combobox'] as const)
    expect(page.getByRole(role).elements()).toEqual([]);
  // The page asks, and so does who mounts it.
  await answers.release();
  await answers.release();
  await expect.element(toggle('Show pictures')).toBeDisabled();
  await expect.element(button('Edit')).toBeVisible();
});

test('a policy that comes into force while the page is read brings its connections, though a newer reading overtakes the first', async () => {
  const answers = createHeldAnswers();
  let applied: ReturnType<typeof connection>[] = [];
  options([], {
    'policy.state': () => answers.hold(inForce({}, { connections: ['market'] })),
    'connections.list': () => applied,
  });
  await expect.element(page.getByRole('navigation').first()).toBeVisible();
  applied = [connection({ id: 'market', name: 'Market', hasKey: false })];
  // The page asks, and so does who mounts it.
  await answers.release();
  await answers.release();
  await expect.element(button('Enter your key')).toBeVisible();
});

describe('a connection of the policy', () => {
  const market = connection({ id: 'market', name: 'Market', hasKey: false });
  const shown = () =>
    options([market, connection({ id: 'own', name: 'Mine' })], {
      'policy.state': () => inForce({}, { connections: ['market'] }),
    });

  test('says that a key is stored already, and offers to replace it', async () => {
    options([{ ...market, hasKey: true }], {
      'policy.state': () => inForce({}, { connections: ['market'] }),
    });
    const card = page.getByRole('article', { name: 'Market' });
    const replace = card.getByRole('button', { name: 'Replace your key' });
    await expect.element(replace).toBeVisible();
    await expect
      .element(card.getByRole('button', { name: 'Enter your key' }))
      .not.toBeInTheDocument();
    await replace.click();
    await expect
      .element(page.getByLabelText('API key'))
      .toHaveAttribute('placeholder', 'Saved · paste a new one to replace it');
  });

  test('is marked, and takes nothing but the key', async () => {
    const harness = shown();
    const card = page.getByRole('article', { name: 'Market' });
    await expect.element(card.getByText(set)).toBeVisible();
    await expect.element(card.getByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
    await expect
      .element(card.getByText('Find out how this server expects requests'))
      .not.toBeInTheDocument();
    await card.getByRole('button', { name: 'Enter your key' }).click();

    const key = page.getByLabelText('API key');
    await expect.element(key).toHaveFocus();
    await expect.element(page.getByLabelText('Name')).toHaveAttribute('readonly');
    await expect.element(page.getByLabelText('Base address')).toHaveAttribute('readonly');
    await page.getByText('Advanced: how this server expects requests').click();
    await expect.element(page.getByLabelText('Send the key as')).toBeDisabled();
    await key.fill('agents-own-key');
    await button('Save').click();
    await expect.element(key).not.toBeInTheDocument();
    expect(harness.bodies('connections.save')).toMatchObject([
      { id: 'market', name: 'Market', apiKey: 'agents-own-key' },
    ]);
  });

  test('leaves those of the agent alone', async () => {
    shown();
    const card = page.getByRole('article', { name: 'Mine' });
    await expect.element(card.getByRole('button', { name: 'Delete' })).toBeVisible();
    await expect.element(card.getByText(set)).not.toBeInTheDocument();
  });

  test('says who can change it, to the keyboard as well', async () => {
    shown();
    const card = page.getByRole('article', { name: 'Market' });
    await expect.element(card.getByText(set)).toBeVisible();
    const why = card.getByText(/Only the API key is yours/);
    await expect.element(why).not.toBeVisible();
    (card.getByText(set).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(why).toBeVisible();
  });
});

test('authorities and help desks of the policy cannot be changed', async () => {
  const [origin, address] = ['https://desk.test', 'https://licenses.test'];
  const site = { origin, automatic: true, expectedItem: { itemId: 7, name: 'Lantern' } };
  options([], {
    'policy.state': () => inForce({ sites: [site] }, { authorities: ['l'], sites: [origin] }),
    'authorities.list': () => [
      {
        id: 'l',
        name: 'Licenses',
        address,
        kind: 'live',
        products: [],
        permitted: false,
      },
    ],
    'sites.list': () => [{ ...site, permitted: false }],
  });
  // The browser's permission is the agent's to give.
  await expect.element(button(`Allow ${origin}`)).toBeEnabled();
  await expect.element(button(`Remove ${origin}`)).not.toBeInTheDocument();
  await expect.element(toggle('Look codes up as they come into view')).toBeDisabled();
  await expect
    .element(page.getByRole('combobox', { name: `Expected item on ${origin}` }))
    .toBeDisabled();
  await page.getByRole('link', { name: 'Team setup' }).click();
  const card = page.getByRole('article', { name: 'Licenses' });
  await expect.element(card.getByText(set)).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  await expect.element(card.getByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
  await expect.element(button('Allow this address')).toBeEnabled();
});

test('a help desk of the policy leaves the expected item to the agent where the policy names none', async () => {
  const site = { origin: 'https://desk.test', automatic: true };
  options([], {
    'policy.state': () => inForce({ sites: [site] }, { sites: [site.origin] }),
    'sites.list': () => [{ ...site, permitted: true }],
  });
  await expect.element(toggle('Look codes up as they come into view')).toBeDisabled();
  await expect
    .element(page.getByRole('combobox', { name: `Expected item on ${site.origin}` }))
    .toBeEnabled();
});

test('language and privacy of the policy cannot be changed, the theme can', async () => {
  options([], { 'policy.state': () => inForce({ privacy, language: 'en' }) });
  await expect.element(page.getByRole('combobox', { name: 'Language' })).toBeDisabled();
  for (const name of [
    'Show pictures',
    'Mask codes when copying',
    'Check a selected or pasted code at once',
  ])
    await expect.element(toggle(name)).toBeDisabled();
  const opacityOf = (name: string): number =>
    Number(getComputedStyle(toggle(name).element()).opacity);
  expect(opacityOf('Show pictures')).toBeLessThan(
    opacityOf('Keyboard shortcuts in Counterfoil’s own pages'),
  );
  await expect.element(page.getByRole('radio', { name: 'Dark' })).toBeEnabled();
  await expect.element(toggle('Keyboard shortcuts in Counterfoil’s own pages')).toBeEnabled();
  expect(page.getByText(set).elements()).toHaveLength(4);
});

test('what the privacy of a policy does not name stays up to the agent, such as a setting newer than the policy', async () => {
  const { pictures } = privacy;
  options([], { 'policy.state': () => inForce({ privacy: { pictures } }) });
  await expect.element(toggle('Show pictures')).toBeDisabled();
  await expect.element(toggle('Mask codes when copying')).toBeEnabled();
  await expect.element(toggle('Check a selected or pasted code at once')).toBeEnabled();
  expect(page.getByText(set).elements()).toHaveLength(1);
});

describe('a demanded passphrase', () => {
  const demand = () =>
    inForce({ keyStorage: { mode: 'passphrase' as const, lockAfterMinutes: 7 } });

  test('is asked for at once, and nothing else can be chosen', async () => {
    const harness = options([], { 'policy.state': demand });
    await expect.element(page.getByText(/Your organization asks for a passphrase/)).toBeVisible();
    const radio = (name: RegExp) => page.getByRole('radio', { name });
    await expect.element(radio(/With a passphrase/)).toBeChecked();
    await expect.element(radio(/On this device/)).toBeDisabled();
    await expect.element(radio(/For this session/)).toBeDisabled();
    await page.getByLabelText('New passphrase', { exact: true }).fill('correct horse battery');
    await page.getByLabelText('New passphrase, again').fill('correct horse battery');
    await button('Use this').click();
    await expect
      .element(page.getByText(/Your organization asks for a passphrase/))
      .not.toBeInTheDocument();
    expect(harness.bodies('secrets.set-mode')).toMatchObject([{ mode: 'passphrase' }]);
  });

  test('comes before the key in the first steps, and leads to it', async () => {
    const market = connection({ dialect: defaultDialect, hasKey: false });
    const harness = options([market], { 'policy.state': demand });
    const step = page.getByRole('article', { name: 'Market' });
    await expect.element(step.getByText(/asks for a passphrase\. Choose one first/)).toBeVisible();
    const lead = step.getByRole('link', { name: 'Go to “Key storage”' });
    await expect.element(lead).toHaveAttribute('href', '#key-storage');
    await page.getByLabelText('New passphrase', { exact: true }).fill('correct horse battery');
    await page.getByLabelText('New passphrase, again').fill('correct horse battery');
    await button('Use this').click();
    await expect.element(step.getByText(/This connection has no API key yet/)).toBeVisible();
    await expect.element(lead).not.toBeInTheDocument();
    expect(harness.bodies('secrets.set-mode')).toHaveLength(1);
  });

  test('counts before a key that is stored otherwise is called wrong', async () => {
    options([connection({ dialect: defaultDialect })], {
      'policy.state': demand,
      'connections.test': () => fail({ kind: 'no-key', reason: 'key-storage-demanded' }),
    });
    await button('Test connection').click();
    const step = page.getByRole('article', { name: 'Market' });
    await expect.element(step.getByText(/asks for a passphrase\. Choose one first/)).toBeVisible();
    await expect.element(step.getByText(/does not accept the API key/)).not.toBeInTheDocument();
  });

  test('shows the time of the lock as it was set', async () => {
    options([], {
      'policy.state': demand,
      'secrets.state': () => ({ mode: 'passphrase', locked: false, lockAfterMinutes: 7 }),
    });
    const time = page.getByRole('combobox', { name: 'Lock after' });
    await expect.element(time).toBeDisabled();
    await expect.element(time).toHaveDisplayValue('7 minutes');
  });
});

describe('a policy that cannot be used', () => {
  test.each([
    [{ kind: 'unreadable', path: 'sites.0.origin' }, /“sites.0.origin” in it could not be read/],
    [
      { kind: 'holds-secret', path: 'connections.0.apiKey' },
      /“connections.0.apiKey” in it looks like a secret.*an API key/,
    ],
    [{ kind: 'wrong-fingerprint', path: 'keys.0.fingerprint' }, /“keys.0.fingerprint”/],
    [{ kind: 'not-text' }, /“settings” must be a string/],
    [{ kind: 'not-json' }, /not valid JSON/],
    [{ kind: 'not-settings' }, /does not hold a Counterfoil settings file/],
    [{ kind: 'newer-version' }, /newer version of Counterfoil/],
    [{ kind: 'storage-full' }, /no room left/],
  ] as const)('is named: %j', async (fault, text) => {
    options([], { 'policy.state': () => ({ policy: null, locked: noEntries, fault }) });
    const alert = page.getByRole('alert').filter({ hasText: 'Your organization’s policy' });
    await expect.element(alert.getByText(text)).toBeVisible();
    await expect.element(alert.getByText(/None of it was applied/)).toBeVisible();
    await expect.element(alert.getByText(/stays in force/)).not.toBeInTheDocument();
    await expect.element(alert).toHaveAttribute('data-fault', fault.kind);
  });

  test('leaves an earlier one in force, and says so', async () => {
    options([], { 'policy.state': () => ({ ...inForce({}), fault: { kind: 'not-json' } }) });
    await expect.element(page.getByText(/stays in force/)).toBeVisible();
  });
});

describe('on the desk', () => {
  const mountedDesk = (view: () => VNode, state: PolicyState, templates: ReplyTemplate[] = []) =>
    mounting(
      defineComponent(() => view),
      {
        script: { 'policy.state': () => state },
        replies: { format: 'plain', templates },
        ports: (app) => {
          app
            .provide(replyCataloguesKey, { en: () => Promise.resolve(english as ReplyCatalogue) })
            .provide(historyPort, {
              settings: () => Promise.resolve(defaultHistorySettings),
            } as unknown as HistoryPort);
        },
      },
    );

  test('the history keeps what the policy says', async () => {
    mountedDesk(() => h(HistorySettings), inForce({ privacy }));
    await expect.element(page.getByText(set)).toBeVisible();
    for (const each of page.getByRole('switch').elements())
      await expect.element(page.elementLocator(each)).toBeDisabled();
  });

  test('the history stays up to the agent where the privacy of a policy does not name it', async () => {
    const { history, ...others } = privacy;
    mountedDesk(() => h(HistorySettings), inForce({ privacy: others }));
    expect(history).toBeDefined();
    await expect.element(page.getByRole('switch').first()).toBeEnabled();
    expect(page.getByText(set).elements()).toEqual([]);
  });

  test('templates of the policy cannot be edited, others can', async () => {
    const templateOf = (name: string): ReplyTemplate => ({
      id: name.toLowerCase(),
      situation: 'supported',
      language: 'en',
      name,
      text: 'Thanks.',
    });
    mountedDesk(
      () => h(ReplyTemplatesPage, { route: { section: 'reply' } }),
      inForce({ templates: { format: 'plain' } }, { templates: ['theirs en'] }),
      [templateOf('Theirs'), templateOf('Mine')],
    );
    const text = page.getByLabelText('Text', { exact: true });
    await button('Theirs').click();
    await expect.element(text).toBeDisabled();
    await expect.element(button('Delete template')).toBeDisabled();
    // It would take away the templates of the policy.
    await expect.element(button('Back to the built-in templates')).not.toBeInTheDocument();
    await button('Mine').click();
    await expect.element(text).toBeEnabled();
    await expect.element(button('Delete template')).toBeEnabled();
  });
});
