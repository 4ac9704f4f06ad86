import { h, nextTick, ref, type VNode } from 'vue';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import SettingsIcon from '~icons/lucide/settings';

import type { PageLink } from '#components/ui/page-link';
import SidebarPage from '#components/ui/SidebarPage.vue';
import { mounting } from '#tests/components/mounted';
import { useWorkerContact } from '#stores/worker-contact';

const sections: readonly PageLink[] = [
  ['first', 'First'],
  ['longer', 'A longer section'],
  ['long', 'Another long section'],
  ['second', 'Second'],
].map(([id = '', title = '']) => ({
  href: `#${id}`,
  title,
  icon: SettingsIcon,
  current: id === 'second',
}));

beforeEach(async () => {
  await page.viewport(1200, 800);
  mount();
});

function mount(
  name: 'desk' | 'options' | 'verifier' = 'desk',
  links: readonly PageLink[] | (() => readonly PageLink[]) = sections,
  content?: () => VNode,
): void {
  const Page = {
    render: () =>
      h(
        SidebarPage,
        {
          title: 'Second',
          label: 'Sections',
          links: typeof links === 'function' ? links() : links,
          page: name,
        },
        () => (content ?? (() => h('p', 'What is shown')))(),
      ),
  };
  mounting(Page, { script: {} });
}

afterEach(() => {
  location.hash = '';
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

test('the pages are links that open in the same tab, and the present one is marked with its section', async () => {
  const links = () =>
    [...document.querySelectorAll('nav a')].map((each) => [
      each.textContent.trim(),
      each.getAttribute('href'),
      each.getAttribute('aria-current'),
    ]);
  const others = [
    ['Check a code', 'sidepanel.html', null],
    ['License verifier', 'verifier.html', null],
    ['Settings', 'options.html', null],
  ];
  expect(links()).toEqual(
    expect.arrayContaining([...others, ['Desk', '#first', 'true'], ['Second', '#second', 'page']]),
  );
  expect(document.querySelector('nav [target]')).toBeNull();
  mount('verifier', []);
  expect(links()).toEqual([
    ['Check a code', 'sidepanel.html', null],
    ['Desk', 'desk.html', null],
    ['License verifier', 'verifier.html', 'page'],
    ['Settings', 'options.html', null],
  ]);
  await expect.element(link('License verifier')).toBeVisible();
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

test.each([360, 700])(
  'at %i px the sections of the current view are in the row as well',
  async (width) => {
    const titles = ['Connections', 'Key storage', 'Appearance and privacy', 'Help desks', 'Data'];
    const views = [
      {
        href: '#you',
        title: 'You',
        icon: SettingsIcon,
        current: true,
        sections: titles.map((title, at) => ({
          href: `#section-${String(at)}`,
          title,
          current: at === 0,
        })),
      },
      { href: '#team', title: 'Team setup', icon: SettingsIcon, current: false },
    ];
    mount('options', views);
    await page.viewport(width, 800);
    const boxes = ['You', ...titles, 'Team setup'].map((name) =>
      link(name).element().getBoundingClientRect(),
    );
    expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
    expect(new Set(boxes.map(({ height }) => height)).size).toBe(1);
    for (const [at, { left }] of boxes.slice(1).entries())
      expect(left).toBeGreaterThanOrEqual(boxes[at]?.right ?? Infinity);
    link('Data').element().focus();
    await expect
      .poll(() => link('Data').element().getBoundingClientRect().right)
      .toBeLessThanOrEqual(width);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    // The row stays in view where it leads within the page.
    const content = page.getByText('What is shown').element();
    (content as HTMLElement).style.height = '3000px';
    scrollTo(0, 1000);
    const [row, shown] = [link('Data'), page.getByText('What is shown')].map((each) =>
      each.element().getBoundingClientRect(),
    );
    expect(row?.top).toBeGreaterThanOrEqual(0);
    expect(row?.bottom).toBeLessThan(48);
    expect(shown?.top).toBeLessThan(-500);
    expect(
      document
        .elementFromPoint(width / 2, ((row?.top ?? 0) + (row?.bottom ?? 0)) / 2)
        ?.closest('nav'),
    ).not.toBeNull();
    scrollTo(0, 0);
    // Nothing comes after the last page, from which a line would set it off.
    const list = link('Team setup').element().closest('ul') ?? document.body;
    expect(getComputedStyle(list).borderInlineEndWidth).toBe('0px');
  },
);

test.each(['ltr', 'rtl'])('the row of links follows the section in sight: %s', async (dir) => {
  await page.viewport(360, 800);
  document.documentElement.dir = dir;
  onTestFinished(() => {
    document.documentElement.removeAttribute('dir');
  });
  const inSight = ref('Connections');
  const titles = ['Connections', 'Key storage', 'Appearance and privacy', 'Help desks', 'Data'];
  const views = () => [
    {
      href: '#you',
      title: 'You',
      icon: SettingsIcon,
      current: true,
      sections: titles.map((title) => ({
        href: `#${title}`,
        title,
        current: title === inSight.value,
      })),
    },
  ];
  mount('options', views);
  const nav = page.getByRole('navigation', { name: 'Sections' }).element();
  for (const title of [...titles, ...titles.toReversed()]) {
    inSight.value = title;
    await expect
      .poll(() => {
        const { left, right } = link(title).element().getBoundingClientRect();
        const [start, end] = dir === 'ltr' ? [left, 360 - right] : [360 - right, left];
        // Outside of the fade.
        return end >= 0 && (start >= 40 || nav.scrollLeft === 0);
      })
      .toBe(true);
  }
  // Where none is in sight, it shows the view.
  link('Data').element().focus();
  inSight.value = '';
  await expect.poll(() => link('You').element().getBoundingClientRect().left).toBeLessThan(300);
});

test.each(['ltr', 'rtl'])('the row of links fades where it goes on: %s', async (dir) => {
  await page.viewport(360, 800);
  const nav = page.getByRole('navigation', { name: 'Sections' }).element();
  await expect.poll(() => nav.scrollLeft).not.toBe(0);
  document.documentElement.dir = dir;
  nav.scrollLeft = 0;
  await expect.poll(() => nav.getAttribute('class')).toBe('fades after');
  nav.scrollLeft = dir === 'rtl' ? -9999 : 9999;
  await expect.poll(() => nav.getAttribute('class')).toBe('fades before');
  await page.viewport(1200, 800);
  await expect.poll(() => nav.getAttribute('class')).toBe('fades');
  document.documentElement.removeAttribute('dir');
});

test('the current link is shown outside of the fade', async () => {
  await page.viewport(360, 800);
  const nav = page.getByRole('navigation', { name: 'Sections' }).element();
  await expect.poll(() => nav.scrollLeft).not.toBe(0);
  mount(
    'desk',
    sections.map((each) => ({ ...each, current: each.href === '#first' })),
  );
  const row = page.getByRole('navigation', { name: 'Sections' }).element() as HTMLElement;
  const room = (): number => {
    const { left, right } = link('First').element().getBoundingClientRect();
    const { left: start, right: end } = row.getBoundingClientRect();
    return Math.min(left - start, end - right);
  };
  row.scrollLeft = 0;
  const { right } = link('First').element().getBoundingClientRect();
  row.style.width = `${String(right - row.getBoundingClientRect().left + 10)}px`;
  await expect.poll(room).toBeGreaterThanOrEqual(40);
});

test('the ring of the title that has the focus goes around its words', async () => {
  const title = page.getByRole('heading', { level: 1 }).element() as HTMLElement;
  title.focus();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
  expect(title.offsetWidth).toBeLessThan(200);
});

test('the focus stays where it was led when a button goes away under a double click', async () => {
  const isThere = ref(true);
  mount('desk', sections, () =>
    h('div', { style: 'display: grid; justify-items: start; gap: 40px' }, [
      h('div', { style: 'height: 40px' }, [
        isThere.value
          ? h('button', { onClick: () => (isThere.value = false) }, 'Cancel')
          : undefined,
      ]),
      h('button', { id: 'next' }, 'Resume'),
    ]),
  );
  const pressed = page.getByRole('button', { name: 'Cancel' }).element() as HTMLElement;
  const place = pressed.parentElement;
  const press = (target: Element | null, detail: number): boolean =>
    target?.dispatchEvent(
      new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }),
    ) ?? true;
  expect(press(pressed, 1)).toBe(true);
  expect(press(pressed, 2)).toBe(true);
  pressed.click();
  await nextTick();
  document.getElementById('next')?.focus();
  // What is prevented of a press is that it takes the focus.
  expect(press(place, 2)).toBe(false);
  expect(press(place, 1)).toBe(true);
});
