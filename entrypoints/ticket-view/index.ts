import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { showChips } from '#entrypoints/ticket-view/chips';
import type { ScriptGlobals } from '#entrypoints/ticket-view/script-globals';

/** Runs the second stage of the ticket script, which finds codes and shows their verdicts. The first stage starts it. */
export default defineUnlistedScript(() => {
  (globalThis as ScriptGlobals).counterfoilView = showChips;
});
