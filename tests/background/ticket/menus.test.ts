import { expect, test } from 'vitest';

import { type MenusApi, bindMenus } from '#background/ticket/menus';

type Click = Parameters<Parameters<MenusApi['onClicked']['addListener']>[0]>;

/** The browser's menu, with what was put into it and what came of clicks. */
async function filled(reportsLinkText: boolean) {
  const items: Parameters<MenusApi['create']>[0][] = [];
  const seen: string[] = [];
  let click: ((...clicked: Click) => void) | undefined;
  const note = (what: string): Promise<void> => {
    seen.push(what);
    return Promise.resolve();
  };
  const fill = bindMenus(
    {
      create: (item) => items.push(item),
      removeAll: () => Promise.resolve(void items.splice(0)),
      onClicked: {
        addListener: (listener) => {
          click = listener;
        },
      },
    },
    (key) => key,
    {
      showPanel: (windowId) => note(`panel in ${String(windowId)}`),
      check: (text, windowId) => note(`check ${text} in ${String(windowId)}`),
      inspect: (text) => note(`inspect ${text}`),
      checkInTab: (text) => note(`tab ${text}`),
    },
    (task) => void task,
    { reportsLinkText },
  );
  await fill();
  await fill();
  return { items, seen, click: (...clicked: Click) => click?.(...clicked) };
}

test.each([
  [false, ['selection']],
  [true, ['selection', 'link']],
])(
  'a link is offered where its text is told (%s), and nothing stands there twice',
  async (tells, contexts) => {
    const { items } = await filled(tells);
    expect(items).toMatchObject([
      { id: 'check', contexts: ['selection'] },
      { id: 'inspect', contexts },
    ]);
  },
);

test('a selection is checked or inspected, a link by its text', async () => {
  const { click, seen } = await filled(true);
  click({ menuItemId: 'check', selectionText: 'a code' }, { windowId: 7 });
  click({ menuItemId: 'inspect', selectionText: 'a license' });
  click({ menuItemId: 'inspect', linkText: 'a license in a link' });
  click({ menuItemId: 'inspect', selectionText: 'the selection', linkText: 'the link' });
  click({ menuItemId: 'of somebody else', selectionText: 'a code' }, { windowId: 7 });
  expect(seen).toEqual([
    'check a code in 7',
    'inspect a license',
    'inspect a license in a link',
    'inspect the selection',
  ]);
});
