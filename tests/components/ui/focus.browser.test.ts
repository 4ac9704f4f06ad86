import { expect, test } from 'vitest';
import { page } from 'vitest/browser';

import { focusIfLost } from '#components/ui/focus';

test('what takes the focus scrolls the page only if its heading is out of sight', async () => {
  await page.viewport(800, 600);
  document.body.innerHTML = `
    <div style="height: 150px"></div>
    <section tabindex="-1" style="height: 2000px"><h2>Active</h2></section>`;
  const section = document.querySelector<HTMLElement>('section');
  await focusIfLost(() => section);
  expect(document.activeElement).toBe(section);
  expect(scrollY).toBe(0);

  section?.blur();
  scrollTo(0, 1000);
  await focusIfLost(() => section);
  expect(document.activeElement).toBe(section);
  expect(document.querySelector('h2')?.getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
});
