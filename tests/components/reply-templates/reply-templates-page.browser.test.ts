import { defineComponent, h } from 'vue';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { replyCataloguesKey } from '#components/reply-templates/reply-catalogues';
import ReplyTemplatesPage from '#components/reply-templates/ReplyTemplatesPage.vue';
import type { ReplyCatalogue } from '#core/replies/index';
import type { CustomerLanguage, ReplyTemplate } from '#core/reply-templates/index';
import english from '#locales/en/replies.json';
import { replyTemplatesPort, type ReplyTemplateStore } from '#stores/reply-templates/ports';
import { mounting } from '#tests/components/mounted';
import { connection } from '#tests/stores/check/samples';
import { createMemoryReplies } from '#tests/stores/reply-templates/memory-replies';

const templates = ['Ours', 'Another'].map((name): ReplyTemplate => ({
  id: name.toLowerCase(),
  situation: 'supported',
  language: 'en',
  name,
  text: 'Thank you.',
}));
const desk = defineComponent({
  setup: () => () => h(ReplyTemplatesPage, { route: { section: 'reply' } }),
});

/** Shows the section with two templates of the agent's own. */
async function shown(
  width: number,
  customers: readonly CustomerLanguage[] = [],
): Promise<ReplyTemplateStore> {
  await page.viewport(width, 800);
  return mounting(desk, {
    script: { 'connections.list': () => [connection()] },
    replies: { format: 'plain', templates, customers },
    ports: (app) =>
      app.provide(replyCataloguesKey, { en: () => Promise.resolve(english as ReplyCatalogue) }),
  }).replies;
}
const templatesIn = (stored: unknown): readonly ReplyTemplate[] =>
  (stored as { templates?: readonly ReplyTemplate[] }).templates ?? [];
const undo = page.getByRole('button', { name: 'Undo' });
const redo = page.getByRole('button', { name: 'Redo' });
const choice = page.getByRole('combobox', { name: 'Template', exact: true });
const listed = (name: string) => page.getByRole('button', { name, exact: true });
const name = page.getByRole('textbox', { name: 'Name', exact: true });
const text = page.getByLabelText('Text', { exact: true });
const editorOf = (title: string) => page.getByRole('region', { name: title, exact: true });

test.each([
  ['wide', 1000],
  ['narrow', 500],
] as const)(
  'deleted on a %s page, a template is brought back and has the focus',
  async (name, width) => {
    await shown(width);
    if (name === 'wide') await listed('Another').click();
    else await choice.selectOptions('Another');
    await page.getByRole('button', { name: 'Delete template' }).click();
    await expect.element(page.getByText(/“Another” was deleted/)).toBeVisible();
    await expect.element(editorOf('Ours')).toHaveFocus();
    await undo.click();
    await expect.element(editorOf('Another')).toHaveFocus();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Another');
  },
);

test('on a phone, what says that a template was deleted covers no button wherever the page stands', async () => {
  await shown(360);
  await page.viewport(360, 500);
  await page.getByRole('button', { name: 'Delete template' }).click();
  await expect.element(undo).toBeVisible();
  const message = undo.element().closest('p');
  const buttons = document.querySelectorAll('.reply-actions > button');
  const ends: boolean[] = [];
  for (let top = 0; top < document.documentElement.scrollHeight; top += 40) {
    window.scrollTo(0, top);
    const { bottom = 0 } = message?.getBoundingClientRect() ?? {};
    ends.push(bottom <= (buttons[0]?.getBoundingClientRect().top ?? 0));
    if (top === 0) expect(bottom).toBeLessThan(500);
  }
  expect(buttons).toHaveLength(2);
  expect(ends).not.toContain(false);
});

test('templates that the built-in ones replaced are brought back, and have the focus', async () => {
  await shown(1000);
  await page.getByRole('button', { name: 'Back to the built-in templates' }).click();
  await expect.element(listed('Ours')).not.toBeInTheDocument();
  await expect.element(page.getByText(/the built-in templates are back/)).toBeVisible();
  await undo.click();
  await expect.element(listed('Ours')).toBeVisible();
  await expect.element(listed('Another')).toBeVisible();
  await expect.element(editorOf('Ours')).toHaveFocus();
});

test('the languages of customers are listed, forgotten one by one, and outlive a change of templates', async () => {
  const customers = [
    { domain: 'a.example', language: 'de' },
    { domain: 'b.example', language: 'en' },
  ];
  await shown(1000, customers);
  const list = page.getByRole('listitem').filter({ hasText: '.example' });
  await expect.element(list.first()).toHaveTextContent('b.exampleEnglish');
  await page.getByRole('button', { name: 'Delete template' }).click();
  await page.getByRole('button', { name: 'Forget b.example' }).click();
  await expect.element(list).toHaveTextContent('a.exampleDeutsch');
  await page.getByRole('button', { name: 'Forget a.example' }).click();
  await expect.element(page.getByText('Languages of customers')).not.toBeInTheDocument();
});

test('a name that is being typed stays when another page writes, and is stored once it is left', async () => {
  const store = await shown(1000);
  await name.fill('Half typ');
  const changed = templates.map((each) => ({ ...each, text: 'Hello.' }));
  await store.change(() => ({ format: 'plain', templates: changed }));
  await expect.element(page.getByLabelText('Text', { exact: true })).toHaveValue('Hello.');
  await expect.element(name).toHaveValue('Half typ');
  await page.getByLabelText('Text', { exact: true }).click();
  await expect.element(listed('Half typ')).toBeVisible();
});

test('a template that is added has its name selected and in sight, to be typed over', async () => {
  await shown(1000);
  await page.viewport(1000, 500);
  await page.getByRole('button', { name: /^Add a template for/ }).click();
  await expect.element(name).toHaveFocus();
  await expect.element(page.getByText('Name', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect.element(name).toBeInViewport({ ratio: 1 });
  await userEvent.keyboard('Mine{Tab}');
  await expect.element(listed('Mine')).toBeVisible();
});

test('a name stands in the list and in the choice while it is typed', async () => {
  const store = await shown(1000);
  await name.fill('Ours, half ty');
  await expect.element(listed('Ours, half ty')).toBeVisible();
  await page.viewport(500, 800);
  await expect.element(choice.getByRole('option', { name: 'Ours, half ty' })).toBeInTheDocument();
  await page.viewport(1000, 800);
  await name.fill('');
  await expect.element(listed('Ours')).toBeVisible();
  await expect.element(name).toHaveAttribute('placeholder', 'Ours');
  await name.fill('Another');
  await expect.element(page.getByText('Another template here has this name.')).toBeVisible();
  await name.fill('Yet another');
  await expect.element(page.getByText(/has this name/)).not.toBeInTheDocument();
  expect(await store.read()).toMatchObject({ templates });
});

test('each field is undone on its own, whatever was typed since, and has the focus then', async () => {
  const store = await shown(1000);
  await name.click();
  await userEvent.keyboard('{Control>}a{/Control}Mine{Tab}Dear Ada,');
  await expect.element(undo).toHaveLength(1);
  // It is pressed while the text is still edited, which pressing it ends.
  await undo.click();
  await expect.element(name).toHaveValue('Ours');
  await expect.element(name).toHaveFocus();
  await expect.element(text).toHaveValue('Thank you.Dear Ada,');
  expect(templatesIn(await store.read())[0]).toMatchObject({
    name: 'Ours',
    text: 'Thank you.Dear Ada,',
  });
  await expect.element(undo).toHaveLength(1);
  await undo.click();
  await expect.element(text).toHaveValue('Thank you.');
  await expect.element(text).toHaveFocus();
  await expect.element(undo).toHaveLength(0);
  expect(templatesIn(await store.read())).toEqual(templates);
});

test('what was edited in one template is still undone there after another was edited', async () => {
  const store = await shown(1000);
  await text.fill('Alpha.');
  await listed('Another').click();
  await expect.element(undo).toHaveLength(0);
  await name.fill('Beta');
  await listed('Ours').click();
  await undo.click();
  await expect.element(text).toHaveValue('Thank you.');
  expect(templatesIn(await store.read()).map((each) => [each.name, each.text])).toEqual([
    ['Ours', 'Thank you.'],
    ['Beta', 'Thank you.'],
  ]);
});

test('a deleted template comes back beside what was written since', async () => {
  const store = await shown(1000);
  await page.getByRole('button', { name: 'Delete template' }).click();
  await expect.element(editorOf('Another')).toHaveFocus();
  await text.fill('Written since.');
  await page
    .getByText(/“Ours” was deleted/)
    .getByRole('button')
    .click();
  await expect.element(editorOf('Ours')).toHaveFocus();
  expect(templatesIn(await store.read()).map((each) => [each.name, each.text])).toEqual([
    ['Ours', 'Thank you.'],
    ['Another', 'Written since.'],
  ]);
});

test.each([500, 720, 1000, 1280])(
  'at %i px the first edit of a built-in template leaves the button that deletes it where it is',
  async (width) => {
    await shown(width);
    await page.getByRole('button', { name: 'Back to the built-in templates' }).click();
    await expect.element(undo).toBeVisible();
    const row = document.querySelector('.reply-actions');
    const remove = page.getByRole('button', { name: 'Delete template' }).element();
    const place = (): readonly number[] => {
      const { left, top } = remove.getBoundingClientRect();
      const { top: start, bottom } = row?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      return [left, top - start, bottom - start];
    };
    const before = place();
    await text.fill('Mine.');
    const restore = page.getByRole('button', { name: 'Back to the built-in templates' });
    await expect.element(restore).toBeVisible();
    expect(place()).toEqual(before);
    await page.viewport(1280, 800);
  },
);

test('a built-in template whose edit is undone is the built-in one again', async () => {
  const store = await shown(1000);
  await page.getByRole('button', { name: 'Back to the built-in templates' }).click();
  await expect.element(listed('Ours')).not.toBeInTheDocument();
  await text.fill('Mine.');
  // What stood here before them cannot be brought back without losing this.
  await expect.element(page.getByText(/are back/)).not.toBeInTheDocument();
  await page.getByLabelText('Closing').fill('Yours,');
  await undo.first().click();
  await expect.element(text).not.toHaveValue('Mine.');
  expect(await store.read()).not.toHaveProperty('templates');
  await undo.last().click();
  await expect.element(page.getByLabelText('Closing')).not.toHaveValue('Yours,');
  expect(await store.read()).not.toHaveProperty('frames');
});

test('a template without words says so in place of its preview', async () => {
  await shown(1000);
  await text.fill('');
  await expect.element(page.getByText('Nothing to preview yet.')).toBeVisible();
  await text.fill('Hello.');
  await expect.element(page.getByText('Nothing to preview yet.')).not.toBeInTheDocument();
});

test('a sentence that its sample leaves out is told, by its variable', async () => {
  await shown(1000);
  const told = page.getByText(/^No value in this sample.*: agent\.$/);
  await text.fill('Hello. I am {agent} of the shop, {nobody}.');
  await expect.element(told).toBeVisible();
  await text.fill('Hello.');
  await expect.element(told).not.toBeInTheDocument();
});

test('a name that is emptied is the old one again, and nothing is stored', async () => {
  const store = await shown(1000);
  await expect.element(name).toHaveValue('Ours');
  await name.fill(' ');
  await page.getByLabelText('Text', { exact: true }).click();
  await expect.element(name).toHaveValue('Ours');
  await expect.element(listed('Ours')).toBeVisible();
  expect(await store.read()).toMatchObject({ templates });
});

test('a change of one template leaves another of its situation that is not shown here yet', async () => {
  await page.viewport(1000, 800);
  const store = createMemoryReplies({ format: 'plain', templates });
  mounting(desk, {
    script: { 'connections.list': () => [connection()] },
    ports: (app) =>
      app
        .provide(replyCataloguesKey, { en: () => Promise.resolve(english as ReplyCatalogue) })
        .provide(replyTemplatesPort, () => Promise.resolve({ ...store, watch: () => undefined })),
  });
  await expect.element(listed('Ours')).toBeVisible();
  const third = { ...templates[0], id: 'third', name: 'Third' } as ReplyTemplate;
  await store.change(() => ({ format: 'plain', templates: [...templates, third] }));
  await page.getByLabelText('Name', { exact: true }).fill('Renamed');
  await page.getByLabelText('Text', { exact: true }).click();
  await expect.element(listed('Third')).toBeVisible();
  expect(store.written.at(-1)?.templates?.map(({ name }) => name)).toEqual([
    'Renamed',
    'Another',
    'Third',
  ]);
});

test('what was edited is said to be saved once its field is left, and is undone whole', async () => {
  const store = await shown(1000);
  const saved = page.getByText(/^Saved\./);
  await text.fill('Thank');
  await expect.element(saved).not.toBeInTheDocument();
  await text.fill('Thanks a lot.');
  await page.getByLabelText('Closing').click();
  await expect.element(saved).toBeVisible();
  expect(templatesIn(await store.read())[0]?.text).toBe('Thanks a lot.');
  await undo.click();
  await expect.element(text).toHaveValue('Thank you.');
  await expect.element(text).toHaveFocus();

  const greeting = page.getByLabelText('Greeting');
  await greeting.fill('Dear customer,');
  await text.click();
  await expect.element(saved).toBeVisible();
  await undo.click();
  await expect.element(greeting).toHaveValue('Hello,');
  await expect.element(greeting).toHaveFocus();
  expect(templatesIn(await store.read())).toEqual(templates);
  expect(await store.read()).not.toHaveProperty('frames');
});

test('the language that is edited is not the one that replies begin in', async () => {
  await page.viewport(1000, 800);
  const { replies } = mounting(desk, {
    script: { 'connections.list': () => [connection()] },
    replies: { format: 'plain', templates },
    ports: (app) =>
      app.provide(replyCataloguesKey, {
        en: () => Promise.resolve(english as ReplyCatalogue),
        de: () =>
          Promise.resolve({
            ...(english as ReplyCatalogue),
            greeting: 'Guten Tag,',
            templates: (english as ReplyCatalogue).templates.map((each) => ({
              ...each,
              name: `Vorlage: ${each.name}`,
            })),
          }),
      }),
  });
  const edited = page.getByLabelText('Edit in');
  await edited.selectOptions('Deutsch');
  await expect.element(page.getByLabelText('Greeting')).toHaveValue('Guten Tag,');
  await expect.element(page.getByRole('button', { name: 'Please renew' })).toBeVisible();
  expect(await replies.read()).not.toHaveProperty('language');

  const use = page.getByRole('button', { name: 'Use this language by default' });
  await use.click();
  await expect.element(page.getByText(/^Replies use it by default\./u)).toBeVisible();
  await expect.element(edited).toHaveFocus();
  expect(await replies.read()).toHaveProperty('language', 'de');
  await edited.selectOptions('English');
  await expect.element(page.getByLabelText('Greeting')).toHaveValue('Hello,');
  await expect.element(use).toBeVisible();
});

test('texts are edited in the direction of their language, whatever that of the page', async () => {
  document.documentElement.dir = 'rtl';
  try {
    await shown(1000);
    await expect.element(page.getByLabelText('Greeting')).toHaveAttribute('dir', 'ltr');
    for (const name of ['Greeting', 'Closing', 'Text']) {
      const area = page.getByLabelText(name, { exact: true }).element();
      expect([area.getAttribute('lang'), getComputedStyle(area).direction]).toEqual(['en', 'ltr']);
    }
  } finally {
    document.documentElement.dir = 'ltr';
  }
});

test('what was undone in a field is redone with the keyboard, until it is edited again', async () => {
  const store = await shown(1000);
  await text.fill('Thanks a lot.');
  await page.getByLabelText('Closing').click();
  await undo.click();
  await expect.element(page.getByText(/^Undone\./)).toBeVisible();
  expect(templatesIn(await store.read())).toEqual(templates);
  await expect.element(text).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(redo).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(text).toHaveValue('Thanks a lot.');
  await expect.element(text).toHaveFocus();
  await expect.element(page.getByText(/^Saved\./)).toBeVisible();
  expect(templatesIn(await store.read())[0]?.text).toBe('Thanks a lot.');

  await undo.click();
  await expect.element(redo).toBeVisible();
  await userEvent.keyboard('More.');
  await expect.element(redo).not.toBeInTheDocument();
  await page.getByLabelText('Closing').click();
  await undo.click();
  await expect.element(text).toHaveValue('Thank you.');
});

test('the keys of undo and redo bring back what was undone in a field', async () => {
  await shown(1000);
  await text.fill('Thanks a lot.');
  await page.getByLabelText('Closing').click();
  await undo.click();
  await expect.element(redo).toBeVisible();
  // A browser with nothing to undo reports what is there already.
  text
    .element()
    .dispatchEvent(new InputEvent('input', { inputType: 'historyUndo', bubbles: true }));
  await expect.element(redo).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(text).toHaveValue('Thanks a lot.');
});

test('an undone edit of a built-in template, of a name and of the frame are redone', async () => {
  const store = await shown(1000);
  await page.getByRole('button', { name: 'Back to the built-in templates' }).click();
  await expect.element(listed('Ours')).not.toBeInTheDocument();
  for (const [field, words] of [
    [name, 'Mine'],
    [text, 'My words.'],
    [page.getByLabelText('Closing'), 'Yours,'],
  ] as const) {
    const before = (field.element() as HTMLInputElement).value;
    await field.fill(words);
    await page.getByLabelText('Greeting').click();
    await undo.last().click();
    await expect.element(field).toHaveValue(before);
    await redo.click();
    await expect.element(field).toHaveValue(words);
  }
  expect(await store.read()).toMatchObject({
    frames: { en: { closing: 'Yours,' } },
    templates: expect.arrayContaining([
      expect.objectContaining({ name: 'Mine', text: 'My words.' }),
    ]) as unknown,
  });
});

test('a double click on Undo undoes once', async () => {
  await shown(1000);
  await text.fill('Thanks a lot.');
  await page.getByLabelText('Closing').click();
  await undo.dblClick();
  await expect.element(redo).toBeVisible();
  await expect.element(text).toHaveValue('Thank you.');
});

test('after a template was deleted with a key, its Undo has the focus', async () => {
  await shown(1000);
  await expect.element(editorOf('Ours')).toBeVisible();
  (page.getByRole('button', { name: 'Delete template' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(undo).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(editorOf('Ours')).toHaveFocus();
});

test('a variable that was inserted is undone with a key', async () => {
  await shown(1000);
  await userEvent.click(text);
  await userEvent.keyboard('{Control>}a{/Control}Dear friend ');
  await page.getByRole('button', { name: '{agent}' }).click();
  await expect.element(text).toHaveValue('Dear friend {agent}');
  await expect.element(text).toHaveFocus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(text).toHaveValue('Dear friend ');
});

test('on a phone the row of variables fades where it goes on', async () => {
  await shown(360);
  const row = page.getByRole('group', { name: 'Insert a variable' });
  await expect.element(row).toHaveClass('fades', 'after');
});
