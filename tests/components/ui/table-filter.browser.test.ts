import { createApp, h, nextTick, reactive } from 'vue';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { createCatalogue } from '#components/i18n';
import { translatedLanguages } from '#core/text/index';
import TableFilter from '#components/ui/TableFilter.vue';

const catalogues = import.meta.glob<object>('/locales/??{,-??}/{desk,verifier}.json', {
  import: 'default',
});

const hints = [
  ['desk', 'desk.bulk.search'],
  ['desk', 'desk.items.search'],
  ['desk', 'desk.history.search'],
  ['verifier', 'verifier.batch.search'],
] as const;

test.each(translatedLanguages)('in %s the search shows its hint whole', async (language) => {
  await page.viewport(1000, 800);
  const canvas = document.createElement('canvas').getContext('2d');
  for (const [name, key] of hints) {
    const english = await catalogues[`/locales/en/${name}.json`]?.();
    const messages = await catalogues[`/locales/${language}/${name}.json`]?.();
    const catalogue = createCatalogue(language, english, messages);
    const searchLabel = catalogue.t(key);
    expect(searchLabel).not.toBe(key);
    for (const width of [500, 700, 900]) {
      const root = document.createElement('div');
      root.style.width = `${String(width)}px`;
      document.body.append(root);
      const counts = { supported: 4, lapsed: 2, none: 2, unknown: 1 };
      const app = createApp({
        render: () =>
          h(
            TableFilter<keyof typeof counts>,
            {
              groups: ['supported', 'lapsed', 'none', 'unknown'],
              counts,
              label: 'Filter',
              searchLabel,
              chosen: undefined,
              wanted: '',
            },
            { default: ({ group }: { group: string }) => `With ${group}` },
          ),
      });
      app.use(catalogue);
      app.mount(root);
      const field = root.querySelector('input');
      if (field === null || canvas === null) throw new Error('There is no field.');
      const style = getComputedStyle(field);
      canvas.font = style.font;
      const room =
        field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const hint = `${searchLabel} at ${String(width)} px`;
      expect(canvas.measureText(searchLabel).width, hint).toBeLessThanOrEqual(room);
      app.unmount();
      root.remove();
    }
  }
});

test('what the search finds none of stays, so that the field does not move; without a search it goes', async () => {
  const state = reactive({ counts: { supported: 2, lapsed: 1, none: 0 }, wanted: '' });
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const app = createApp({
    render: () =>
      h(
        TableFilter<'supported' | 'lapsed' | 'none'>,
        {
          groups: ['supported', 'lapsed', 'none'],
          counts: state.counts,
          label: 'Filter',
          searchLabel: 'Search',
          chosen: undefined,
          wanted: state.wanted,
        },
        { default: ({ group }: { group: string }) => group },
      ),
  });
  app.use(createCatalogue('en-GB', {}));
  app.mount(root);
  const buttons = (): string[] =>
    [...root.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  expect(buttons()).toEqual(['supported 2', 'lapsed 1']);
  Object.assign(state, { counts: { supported: 1, lapsed: 0, none: 0 }, wanted: 'a' });
  await nextTick();
  expect(buttons()).toEqual(['supported 1', 'lapsed 0']);
  state.wanted = '';
  await nextTick();
  expect(buttons()).toEqual(['supported 1']);
  app.unmount();
});
