import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { insertIntoReply } from '#adapters/browser/insert-into-reply';
import type { ReplyFieldWorld } from '#adapters/browser/reply-fields';

/** Runs in the page of a ticket when a reply is put into it; the worker then calls what it leaves there. */
export default defineUnlistedScript(() => {
  (globalThis as ReplyFieldWorld).counterfoilInsert = insertIntoReply;
});
