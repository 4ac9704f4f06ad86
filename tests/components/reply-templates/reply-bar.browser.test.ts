import { defineComponent, h, ref } from 'vue';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { replyCataloguesKey } from '#components/reply-templates/reply-catalogues';
import ReplyBar from '#components/reply-templates/ReplyBar.vue';
import { provideTicketLanguage } from '#components/reply-templates/ticket-language';
import { type ReplyCatalogue, licenseReplyFacts, sampleFacts } from '#core/replies/index';
import type { ReplySettings } from '#core/reply-templates/index';
import { fail, succeed } from '#core/result';
import english from '#locales/en/replies.json';
import type { Insertion } from '#core/ticket/index';
import { type ReplyFieldPort, replyFieldPort } from '#stores/ticket/ports';
import { mounting } from '#tests/components/mounted';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, NOW, token } from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';

const supported = succeed(sampleFacts('supported', NOW, 'Orbit'));
const bundle = [token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)];
const copyButton = page.getByRole('button', { name: 'Copy reply' });
const more = page.getByRole('button', { name: 'Preview and templates' });
const showPreview = async () => {
  await more.first().click();
  await page.getByRole('menuitem', { name: 'Preview' }).click();
};
const shown = () => document.querySelector<HTMLElement>('[data-reply]')?.innerText;

/** English, and the same with a greeting and names of its own. */
const catalogues = {
  en: () => Promise.resolve(english as ReplyCatalogue),
  nds: () =>
    Promise.resolve({
      ...(english as ReplyCatalogue),
      greeting: 'Moin,',
      templates: (english as ReplyCatalogue).templates.map((each) => ({
        ...each,
        name: `Vörlaag: ${each.name}`,
      })),
    }),
};

function showing(
  facts: unknown,
  settings: ReplySettings = { format: 'plain' },
  replyField?: ReplyFieldPort,
) {
  return mounting(ReplyBar, {
    script: {},
    props: { facts },
    replies: settings,
    ports: (app) => {
      app.provide(replyCataloguesKey, catalogues);
      if (replyField !== undefined) app.provide(replyFieldPort, replyField);
    },
  });
}

test('copies what it shows, and nothing is shown until it is asked for', async () => {
  const harness = showing(supported);
  await expect.element(copyButton).toBeEnabled();
  await expect.element(page.getByRole('group', { name: 'Preview' })).not.toBeInTheDocument();
  await showPreview();
  await page.getByLabelText('Reply template').selectOptions('With details');
  await expect.poll(shown).toContain('Item: Orbit');
  await copyButton.click();
  expect(harness.copied).toHaveLength(1);
  expect(harness.copied[0]?.replaceAll('\u200C', '')).toBe(shown()?.replaceAll('\u200C', ''));
  await expect.element(page.getByRole('status')).toHaveTextContent('Copied');
});

test('a preview that is longer than its place fades where it goes on', async () => {
  await page.viewport(384, 600);
  showing(supported);
  document.body.style.setProperty('--reply-height', '80px');
  await showPreview();
  const text = page.getByRole('group', { name: 'Preview' });
  await expect.element(text).toHaveClass('after');
  text.element().scrollTo(0, 1000);
  await expect.element(text).toHaveClass('before');
  await expect.element(text).not.toHaveClass('after');
  document.body.style.removeProperty('--reply-height');
});

test('a template has the width that the languages leave', async () => {
  await page.viewport(384, 600);
  showing(supported);
  await showPreview();
  const width = (name: string): number =>
    page.getByLabelText(name).element().getBoundingClientRect().width;
  expect(width('Reply template')).toBeGreaterThan(2 * width('Reply language'));
});

test('templates are named in the language of the page, whatever that of the reply', async () => {
  const names = (): string[] =>
    [...document.querySelectorAll('[aria-label="Reply template"] option')].map(
      ({ textContent }) => textContent,
    );
  showing(supported);
  await showPreview();
  await expect.poll(names).toEqual(['Thanks, found it', 'With details']);
  await page.getByLabelText('Reply language').selectOptions('nds');
  await expect.poll(shown).toContain('Moin,');
  expect(names()).toEqual(['Thanks, found it', 'With details']);
});

test('a template that says nothing yet is not offered', async () => {
  const own = { situation: 'supported', language: 'en', name: 'New template' } as const;
  const empty = { ...own, id: 'new', text: ' \n' };
  const ours = { ...own, id: 'ours', name: 'Ours', text: 'Found, {customer}.' };
  showing(supported, { format: 'plain', templates: [empty, ours] });
  await showPreview();
  await expect.poll(shown).toBe('Hello,\n\nFound, Ada Example.\n\nKind regards');
  await expect.element(page.getByLabelText('Reply template')).not.toBeInTheDocument();
});

test('a reply is signed as the settings say', async () => {
  mounting(ReplyBar, {
    script: {},
    props: { facts: supported },
    preferences: { agent: 'Jo' },
    replies: { format: 'plain', frames: { en: { greeting: '', closing: 'Yours, {agent}' } } },
    ports: (app) => app.provide(replyCataloguesKey, catalogues),
  });
  await showPreview();
  await expect.poll(shown).toMatch(/Yours, Jo$/u);
});

test.each([
  [
    'no key is pinned',
    () => inspection(bundle, { keys: [] }).then((one) => licenseReplyFacts(one)),
    'nothing can be proven until a key is pinned',
  ],
  [
    'another time is asked about',
    () => Promise.resolve(fail('other-moment')),
    'the timeline is not set to now',
  ],
])(
  'with nothing to say it is disabled, says why, and leaves the clipboard alone: %s',
  async (_, facts, why) => {
    const harness = showing(await facts());
    await expect.element(copyButton).toBeDisabled();
    await expect.element(copyButton).toHaveAccessibleDescription(new RegExp(why, 'u'));
    await expect.element(more).not.toBeInTheDocument();
    await copyButton.click({ force: true });
    expect(harness.copied).toEqual([]);
  },
);

test('an empty template of the agent’s own is nothing to copy', async () => {
  const own = { id: 'a', situation: 'supported', language: 'en', name: 'Mine', text: '' } as const;
  const harness = showing(supported, { format: 'plain', templates: [own] });
  await expect.element(copyButton).toBeDisabled();
  await expect.element(copyButton).toHaveAccessibleDescription(/empty/u);
  expect(harness.copied).toEqual([]);
});

test('the language of a reply is chosen for it, and is the setting at first', async () => {
  const harness = showing(supported, { format: 'plain', language: 'nds' });
  await showPreview();
  await expect.poll(shown).toMatch(/^Moin,/u);
  await page.getByLabelText('Reply language').selectOptions('en');
  await expect.poll(shown).toMatch(/^Hello,/u);
  await copyButton.click();
  expect(harness.copied[0]).toMatch(/^Hello,/u);
});

test('a greeting, a closing and templates of the agent’s own are used', async () => {
  const own = {
    id: 'a',
    situation: 'supported',
    language: 'en',
    name: 'Mine',
    text: '{item}!',
  } as const;
  const harness = showing(supported, {
    format: 'plain',
    templates: [own, { ...own, id: 'b', situation: 'lapsed', text: 'no' }],
    frames: { en: { greeting: 'Dear customer,', closing: 'Ada' } },
  });
  await copyButton.click();
  expect(harness.copied).toEqual(['Dear customer,\n\nOrbit!\n\nAda']);
});

const active = await inspection(bundle).then((one) => licenseReplyFacts(one));
/** The domain that the certificate is bound to. */
const domain = 'shop.example.com';
const remember = page.getByRole('checkbox', { name: /^Remember for/u });
const languageChoice = page.getByLabelText('Reply language');

test('a language is remembered for the customer, and forgotten', async () => {
  const { repliesWritten } = showing(active);
  const customers = () => repliesWritten.at(-1)?.customers;
  await showPreview();
  await languageChoice.selectOptions('nds');
  await remember.click();
  await expect.poll(customers).toEqual([{ domain, language: 'nds' }]);
  await languageChoice.selectOptions('en');
  await expect.element(remember).not.toBeChecked();
  await languageChoice.selectOptions('nds');
  await expect.element(remember).toBeChecked();
  await remember.click();
  await expect.poll(customers).toEqual([]);
  await expect.poll(shown).toMatch(/^Moin,/u);
});

test('a remembered language goes before the setting, and the choice for the ticket before both', async () => {
  showing(active, { format: 'plain', language: 'en', customers: [{ domain, language: 'nds' }] });
  await showPreview();
  await expect.element(remember).toBeChecked();
  await expect.poll(shown).toMatch(/^Moin,/u);
  await languageChoice.selectOptions('en');
  await expect.poll(shown).toMatch(/^Hello,/u);
});

test('nothing is remembered of a purchase, whose customer has no domain', async () => {
  showing(supported);
  await showPreview();
  await expect.element(languageChoice).toBeVisible();
  await expect.element(remember).not.toBeInTheDocument();
});

test('a language that is chosen for one reply counts for the others of its ticket', async () => {
  const ticket = ref(1);
  mounting(
    defineComponent({
      setup() {
        provideTicketLanguage(() => ticket.value);
        return () => [h(ReplyBar, { facts: supported }), h(ReplyBar, { facts: supported })];
      },
    }),
    { script: {}, ports: (app) => app.provide(replyCataloguesKey, catalogues) },
  );
  const values = () =>
    [...document.querySelectorAll<HTMLSelectElement>('[aria-label="Reply language"]')].map(
      ({ value }) => value,
    );
  await showPreview();
  await languageChoice.first().selectOptions('nds');
  await expect.poll(values).toEqual(['nds', 'nds']);
  ticket.value = 2;
  await expect.poll(values).toEqual(['en', 'en']);
});

const bar = (): Element | null => document.querySelector('.reply-bar');
const insertButton = page.getByRole('button', { name: 'Insert reply' });

test('on an allowed site the reply is inserted, and is copied where no field takes it', async () => {
  const given: string[] = [];
  const took = ref<Insertion>('inserted');
  const harness = showing(supported, undefined, {
    isOffered: () => true,
    insert: (text) => {
      given.push(text);
      return Promise.resolve(took.value);
    },
  });
  const { height } = (bar() as HTMLElement).getBoundingClientRect();
  await insertButton.click();
  await expect.element(page.getByText('Inserted into the reply field.')).toBeVisible();
  // What is below it stays in place.
  expect(bar()?.getBoundingClientRect().height).toBe(height);
  expect(given).toHaveLength(1);
  expect(harness.copied).toEqual([]);
  took.value = 'no-field';
  await insertButton.click();
  await expect
    .poll(() => document.querySelector('[role=status]')?.textContent ?? '')
    .toMatch(/reply was copied/u);
  expect(harness.copied).toEqual([given[0]]);
});

test('a reply that was made for another ticket is neither inserted nor copied', async () => {
  const harness = showing(supported, undefined, {
    isOffered: () => true,
    insert: () => Promise.resolve('other-ticket'),
  });
  await insertButton.click();
  await expect
    .element(page.getByText('Another ticket is in front now. Nothing was inserted.'))
    .toBeVisible();
  expect(harness.copied).toEqual([]);
});

test('where inserting is the one thing to do next, to copy is quiet', async () => {
  mounting(ReplyBar, {
    script: {},
    props: { facts: supported, primary: true },
    replies: { format: 'plain' },
    ports: (app) =>
      app.provide(replyCataloguesKey, catalogues).provide(replyFieldPort, {
        isOffered: () => true,
        insert: () => Promise.resolve('inserted'),
      }),
  });
  await expect.element(insertButton).toHaveClass('primary');
  await expect.element(copyButton).toHaveClass('quiet');
  await expect.element(more).toHaveClass('quiet');
});

test('elsewhere inserting is not offered', async () => {
  showing(supported, undefined, {
    isOffered: () => false,
    insert: () => Promise.resolve('inserted'),
  });
  await expect.element(copyButton).toBeEnabled();
  await expect.element(insertButton).not.toBeInTheDocument();
});

test('the menu of the button holds the replies that fit, and copies the one that is chosen', async () => {
  const harness = showing(supported);
  await more.click();
  const item = (name: string) => page.getByRole('menuitemradio', { name, exact: true });
  await expect.element(page.getByRole('menuitem', { name: 'Preview' })).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(item('With details')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(more).toHaveFocus();
  await more.click();
  await item('With details').click();
  await expect.element(more).toHaveFocus();
  expect(harness.copied[0]).toContain('Item: Orbit');
  await more.click();
  await expect.element(item('With details')).toHaveAttribute('aria-checked', 'true');
});

test('Escape closes the preview, and the button of its menu has the focus that was in it', async () => {
  showing(supported);
  await showPreview();
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect.element(preview).toBeVisible();
  await expect.element(more).toHaveFocus();
  // The menu is closed first.
  await more.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(preview).toBeVisible();
  preview.element().focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(preview).not.toBeInTheDocument();
  await expect.element(more).toHaveFocus();
});
