import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { laterReaders } from '#core/marketplaces/asking';

/**
 * The worker's script of readers, which it loads when a marketplace is first asked that its first script does not know.
 */
export default defineUnlistedScript(() => {
  (globalThis as { counterfoilReaders?: typeof laterReaders }).counterfoilReaders = laterReaders;
});
