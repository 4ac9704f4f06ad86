import '#components/ui/styles.css';
import '#components/ui/full-pages.css';
import { afterAll } from 'vitest';

import { unmountApps } from '#tests/support/open-apps';

// Test files share one page.
afterAll(() => {
  unmountApps();
  document.body.replaceChildren();
  // What a test that failed has left there would fail the files after it.
  for (const element of [document.documentElement, document.body])
    for (const name of ['style', 'class', 'dir']) element.removeAttribute(name);
  window.scrollTo(0, 0);
  // A test of inserting takes the page for another ticket where one before it has left a place of the desk in the
  // address.
  history.replaceState(null, '', location.pathname + location.search);
});
