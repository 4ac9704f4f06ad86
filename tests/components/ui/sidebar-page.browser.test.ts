import '#components/ui/styles.css';

import { createPinia } from 'pinia';
import { createApp, h } from 'vue';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import SettingsIcon from '~icons/lucide/settings';

import { createCatalogue } from '#components/i18n';
import SidebarPage from '#components/ui/SidebarPage.vue';
import { optionsPort, useWorkerContact } from '#stores/ports';

let opened: number;
let unmount: () => void;

beforeEach(async () => {
  await page.viewport(1200, 800);
  opened = 0;
  mount();
});

function mount(): void {
  const root = document.createElement('div');
  document.body.append(root);
  const icon = SettingsIcon;
  const open = (): void => {
    opened += 1;
  };
  const app = createApp({
    render: () =>
      h(
        SidebarPage,
        {
          title: 'Second',
          label: 'Sections',
          links: [
            { href: '#first', title: 'First', icon, current: false },
            ...['A longer section', 'Another long section'].map((title) => ({
              href: `#${title}`,
              title,
              icon,
              current: false,
            })),
            { href: '#second', title: 'Second', icon, current: true },
          ],
          page: 'desk',
        },
        () => h('p', 'What is shown'),
      ),
  })
    .use(createPinia())
    .use(createCatalogue('en-GB'))
    .provide(optionsPort, open);
  app.mount(root);
  unmount = () => {
    app.unmount();
    root.remove();
    location.hash = '';
  };
}

afterEach(() => {
  unmount();
});

const link = (name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });

test('the sections are links in a named navigation, and the present one says so', async () => {
  await expect.element(page.getByRole('heading', { level: 1, name: 'Second' })).toBeVisible();
  expect(page.getByRole('main').element().textContent).toContain('What is shown');
  await expect.element(link('Second')).toHaveAttribute('aria-current', 'page');
  expect(link('First').element().hasAttribute('aria-current')).toBe(false);
  await link('First').click();
  expect(location.hash).toBe('#first');
});

test('the other pages open in tabs, and the settings in their one tab', async () => {
  await expect.element(link('License verifier')).toHaveAttribute('target', '_blank');
  await link('Settings').click();
  expect(opened).toBe(1);
  expect(location.pathname).not.toContain('options.html');
});

test('a dead worker is announced above what is shown', async () => {
  expect(page.getByRole('alert').query()).toBeNull();
  useWorkerContact().lost = true;
  await expect.poll(() => page.getByRole('alert').query()?.textContent).toContain('cannot answer');
});

test('the navigation stands beside the content, and above it where the page is narrow', async () => {
  const places = () => [link('First'), page.getByText('What is shown')] as const;
  const [side, content] = places().map((each) => each.element().getBoundingClientRect());
  expect(side?.right).toBeLessThan(content?.left ?? 0);
  await page.viewport(400, 800);
  const [above, below] = places().map((each) => each.element().getBoundingClientRect());
  expect(above?.bottom).toBeLessThan(below?.top ?? 0);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(400);
});

test('where the page is narrow, the links are one row that shows the current one, and scrolls with the focus', async () => {
  // As when a window is made narrow, where the row begins with the first link.
  await page.viewport(360, 800);
  const nav = page.getByRole('navigation', { name: 'Sections' }).element();
  const links = [...nav.querySelectorAll('a')];
  expect(new Set(links.map((each) => each.getBoundingClientRect().top)).size).toBe(1);
  expect(nav.getBoundingClientRect().height).toBeLessThan(48);
  const isShown = (name: string): boolean => {
    const { left, right } = link(name).element().getBoundingClientRect();
    return left >= 0 && right <= 360;
  };
  await expect.poll(() => isShown('Second')).toBe(true);
  expect(isShown('First')).toBe(false);
  expect(window.scrollY).toBe(0);
  for (const name of ['First', 'Settings']) {
    link(name).element().focus();
    await expect.poll(() => isShown(name)).toBe(true);
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test.each(['ltr', 'rtl'])('the row of links fades where it goes on: %s', async (dir) => {
  await page.viewport(360, 800);
  const nav = page.getByRole('navigation', { name: 'Sections' }).element();
  await expect.poll(() => nav.scrollLeft).not.toBe(0);
  document.documentElement.dir = dir;
  nav.scrollLeft = 0;
  await expect.poll(() => nav.getAttribute('class')).toBe('after');
  nav.scrollLeft = dir === 'rtl' ? -9999 : 9999;
  await expect.poll(() => nav.getAttribute('class')).toBe('before');
  await page.viewport(1200, 800);
  await expect.poll(() => nav.getAttribute('class')).toBe('');
  document.documentElement.removeAttribute('dir');
});
