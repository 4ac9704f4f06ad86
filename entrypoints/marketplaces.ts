import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { type LaterReaders, laterReaders } from '#core/marketplaces/asking';

/** The worker's script of readers, which it loads when a marketplace is first asked that its first script does not know. */
export default defineUnlistedScript(() => {
  (globalThis as { counterfoilReaders?: LaterReaders }).counterfoilReaders = laterReaders;
});
