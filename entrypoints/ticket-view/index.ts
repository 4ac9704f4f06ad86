import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { showChips } from '#entrypoints/ticket-view/chips';
import type { ScriptGlobals } from '#entrypoints/ticket-view/script-globals';

/** The second stage of the ticket script: finds codes and shows what the worker says of them. The first stage starts it. */
export default defineUnlistedScript(() => {
  (globalThis as ScriptGlobals).counterfoilView = showChips;
});
