import { expect, test } from 'vitest';

import { bindMenuClicks, createMenus, type MenusApi } from '#background/ticket/menus';

type Click = Parameters<Parameters<MenusApi['onClicked']['addListener']>[0]>;
type Item = Parameters<MenusApi['create']>[0];

/** The browser's menu, with what was put into it and what came of clicks. */
function emptyMenu(reportsLinkText = false) {
  const items: Item[] = [];
  const seen: unknown[] = [];
  let click: ((...clicked: Click) => void) | undefined;
  const note = (...what: unknown[]): Promise<void> => {
    seen.push(...what);
    return Promise.resolve();
  };
  const api: MenusApi = {
    create: (item) => items.push(item),
    remove: (id) => {
      const at = items.findIndex((item) => item.id === id);
      if (at < 0) return Promise.reject(new Error('There is no such item.'));
      items.splice(at, 1);
      return Promise.resolve();
    },
    removeAll: () => Promise.resolve(void items.splice(0)),
    onClicked: {
      addListener: (listener) => {
        click = listener;
      },
    },
  };
  bindMenuClicks(
    api,
    {
      check: (text, windowId) => note(`check ${text} in ${String(windowId)}`),
      inspect: (text) => note(`inspect ${text}`),
      inspectLink: (link) => note(link),
    },
    (task) => void task,
  );
  const menus = createMenus(api, (key) => key, { reportsLinkText });
  return { items, seen, menus, click: (...clicked: Click) => click?.(...clicked) };
}

test.each([
  [false, ['selection']],
  [true, ['selection', 'link']],
])(
  'a link’s text is offered where it is reported (%s), and nothing stands there twice',
  async (reports, contexts) => {
    const { items, menus } = emptyMenu(reports);
    await menus.fill();
    await menus.fill();
    expect(items).toMatchObject([
      { id: 'check', contexts: ['selection'] },
      { id: 'inspect', contexts },
    ]);
    expect(items).toHaveLength(2);
  },
);

test('links are offered from and to the pages of allowed sites alone', async () => {
  const { items, menus } = emptyMenu();
  const linkItem = () => items.filter(({ id }) => id === 'inspect-link');
  const patterns = ['https://desk.test/*', 'http://localhost/*'];

  // In either order: the worker starts while the extension is installed.
  await Promise.all([menus.offerLinksOn(patterns), menus.fill(), menus.offerLinksOn(patterns)]);
  expect(linkItem()).toEqual([
    {
      id: 'inspect-link',
      title: 'menuInspectLink',
      contexts: ['link'],
      documentUrlPatterns: patterns,
      targetUrlPatterns: patterns,
    },
  ]);
  await menus.offerLinksOn(['https://desk.test/*']);
  expect(linkItem()).toMatchObject([{ targetUrlPatterns: ['https://desk.test/*'] }]);
  await menus.offerLinksOn([]);
  expect(linkItem()).toEqual([]);
  expect(items).toHaveLength(2);
});

test('a selection is checked or inspected, a link by its text', () => {
  const { click, seen } = emptyMenu(true);
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

test('a link is inspected with the page and the frame that it is in', () => {
  const { click, seen } = emptyMenu();
  const linkUrl = 'https://desk.test/1.lic';
  const where = { pageUrl: 'https://desk.test/1', frameId: 4, frameUrl: 'https://desk.test/mail' };
  click({ menuItemId: 'inspect-link', linkUrl, ...where }, { id: 3, windowId: 7 });
  click({ menuItemId: 'inspect-link', linkUrl, ...where });
  click({ menuItemId: 'inspect-link' }, { id: 3, windowId: 7 });
  expect(seen).toEqual([{ address: linkUrl, tabId: 3, ...where }]);
});
