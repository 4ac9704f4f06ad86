import { browser } from 'wxt/browser';
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';

import { announce } from '#adapters/browser/announcements';
import { createLinkedFiles } from '#adapters/browser/linked-files';
import { createReplyFields } from '#adapters/browser/reply-fields';
import { createAuthorityHttp } from '#adapters/http/authority-http';
import { createRelayHttp } from '#adapters/http/relay-http';
import { openAdministrationStorage } from '#adapters/storage/worker/index';
import { keepAsked } from '#adapters/browser/waiting-files';
import { type AdministrationScript, createAdministration } from '#background/administration';

/**
 * The worker's second script: what the pages of settings, desk and verifier ask for. The first loads it when it is
 * first needed, and hands over its own stores and adapters, so that no state is there twice.
 */
const administration: AdministrationScript = (first, { records, network, tabs }) => {
  return createAdministration(first, {
    ...openAdministrationStorage(records),
    authorityHttp: (address) => createAuthorityHttp(address, network),
    relayHttp: createRelayHttp(network),
    replyFields: createReplyFields(browser),
    linkedFiles: createLinkedFiles(browser),
    openInVerifier: async (content) => {
      await keepAsked(content, network.now());
      await tabs.open('/verifier.html', 'new');
    },
    publishErasure: () => {
      announce('erasure', null);
    },
    publishProgress: (update) => {
      announce('jobs', update);
    },
    tryWithLock,
  });
};

/**
 * Runs a task under a lock of this browser profile; returns undefined when the lock is taken.
 * The lock ends with the context that holds it.
 */
async function tryWithLock<T>(name: string, task: () => Promise<T>): Promise<T | undefined> {
  return navigator.locks.request(name, { ifAvailable: true }, (lock) =>
    lock === null ? undefined : task(),
  );
}

export default defineUnlistedScript(() => {
  (globalThis as { counterfoilAdministration?: AdministrationScript }).counterfoilAdministration =
    administration;
});
