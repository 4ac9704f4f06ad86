import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import type { ScriptGlobals } from '#components/chips/chips';
import { findCodePositions } from '#core/chips/index';

/**
 * Brings the finder of codes into a document whose text may hold one. The second stage of the ticket script asks for
 * it.
 */
export default defineUnlistedScript(() => {
  (globalThis as ScriptGlobals).counterfoilFinder = findCodePositions;
});
