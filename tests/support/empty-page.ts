import { afterAll } from 'vitest';

import { unmountApps } from '#tests/support/open-apps';

// Test files share one page.
afterAll(() => {
  unmountApps();
  document.body.replaceChildren();
  window.scrollTo(0, 0);
});
