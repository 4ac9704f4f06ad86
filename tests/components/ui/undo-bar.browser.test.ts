import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick, ref, useTemplateRef } from 'vue';

import DeskPage from '#components/desk/DeskPage.vue';
import UndoBar from '#components/ui/UndoBar.vue';
import { succeed } from '#core/result';
import { clockPort, usePort } from '#stores/ports';
import { useUndoOffer } from '#stores/ui/undo-offer';
import { mounting } from '#tests/components/mounted';
import { connection, now } from '#tests/stores/check/samples';

test('the button keeps its word whole beside a long message on a narrow page', async () => {
  await page.viewport(360, 740);
  mounting(
    defineComponent(() => {
      const undo = () => Promise.resolve(succeed(undefined));
      const name = 'Fenwick Studio, the account of the second shop, on the other marketplace';
      useUndoOffer().show({ list: 'connections', id: '1', name, undo }, Infinity);
      return () => h(UndoBar);
    }),
    { script: {} },
  );
  const button = page.getByRole('button', { name: 'Undo' });
  await expect.element(button).toBeVisible();
  const word = document.createRange();
  word.selectNodeContents(button.element());
  expect(new Set([...word.getClientRects()].map(({ top }) => top)).size).toBe(1);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test('a new name is told in one line, however long it is, until the agent goes to another section', async () => {
  await page.viewport(360, 740);
  location.hash = '#/bulk';
  let offer: ReturnType<typeof useUndoOffer> | undefined;
  mounting(
    defineComponent(() => {
      offer = useUndoOffer();
      return () => h(DeskPage);
    }),
    { script: { 'connections.list': () => [connection()] } },
  );
  const undo = () => Promise.resolve(succeed(undefined));
  const name = 'Renewals of the third quarter that came by mail from the agency.xlsx';
  offer?.show({ list: 'job-names', id: '1', name, undo }, now + 20_000);
  const message = page.getByText(/^Renamed\./u);
  await expect.element(message).toBeVisible();
  expect(message.element().getBoundingClientRect().height).toBeLessThan(50);
  location.hash = '#/history';
  await expect.element(message).not.toBeInTheDocument();
  // What was deleted can be brought back wherever the agent goes.
  offer?.show({ list: 'jobs', id: '1', name: 'orders.csv', undo }, now + 20_000);
  location.hash = '#/bulk';
  await expect.element(page.getByRole('heading', { name: 'Bulk check' })).toBeVisible();
  await expect.element(page.getByText(/^“orders.csv” was deleted/u)).toBeVisible();
});

/** Shows a page whose button deletes itself, leads the focus to the card and offers to undo that for a while. */
function mountDeletion(shownMs: number): void {
  mounting(
    defineComponent(() => {
      const offer = useUndoOffer();
      const now = usePort(clockPort);
      const isDeleted = ref(false);
      const card = useTemplateRef<HTMLElement>('card');
      async function remove(): Promise<void> {
        isDeleted.value = true;
        const undo = () => Promise.resolve(succeed(undefined));
        offer.show({ list: 'sites', id: '1', name: 'One', undo }, now() + shownMs);
        await nextTick();
        card.value?.focus();
      }
      return () => [
        h('section', { ref: 'card', tabindex: -1, 'aria-label': 'Card' }, [
          isDeleted.value ? undefined : h('button', { onClick: remove }, 'Delete'),
          h('input', { 'aria-label': 'Field' }),
        ]),
        h(UndoBar),
      ];
    }),
    { script: {} },
  );
}
const undoButton = page.getByRole('button', { name: 'Undo' });
const card = page.getByRole('region', { name: 'Card' });

test('after a deletion with a key the offer has the focus, and the next key leads on', async () => {
  mountDeletion(20_000);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(undoButton).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(card).toHaveFocus();
});

test('the key that undoes takes the offer, and in a field is the field’s', async () => {
  mountDeletion(20_000);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(undoButton).toBeVisible();
  page.getByRole('textbox', { name: 'Field' }).element().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undoButton).toBeVisible();
  card.element().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undoButton).not.toBeInTheDocument();
});

test('when the offer is gone, the focus is where the page led it', async () => {
  mountDeletion(600);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(undoButton).toHaveFocus();
  await expect.element(undoButton).not.toBeInTheDocument();
  await expect.element(card).toHaveFocus();
});

test('after a deletion with the pointer the focus stays where the page led it', async () => {
  mountDeletion(20_000);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(undoButton).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect.element(card).toHaveFocus();
});

test('the offer takes no focus from a field', async () => {
  mountDeletion(20_000);
  const button = page.getByRole('button', { name: 'Delete' }).element() as HTMLElement;
  const field = page.getByLabelText('Field').element() as HTMLElement;
  button.focus();
  button.addEventListener('click', () => {
    setTimeout(() => {
      field.focus();
    });
  });
  await userEvent.keyboard('{Enter}');
  await expect.element(undoButton).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(document.activeElement).toBe(field);
});
