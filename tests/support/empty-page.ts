import { afterAll } from 'vitest';

// Test files share one page.
afterAll(() => {
  document.body.replaceChildren();
  window.scrollTo(0, 0);
});
