import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { type ScriptGlobals, showChips } from '#components/chips/chips';

/**
 * Runs the second stage of the ticket script, which finds codes and shows their verdicts. The first stage starts it.
 */
export default defineUnlistedScript(() => {
  (globalThis as ScriptGlobals).counterfoilView = showChips;
});
