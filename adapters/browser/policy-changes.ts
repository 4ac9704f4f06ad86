import { browser } from 'wxt/browser';

import { policyKey } from '#adapters/storage/policy-store';

/** Calls back when the browser's policy was changed, or the worker has applied it; returns how to stop that. */
export function watchPolicy(changed: () => void): () => void {
  const listener = (changes: Readonly<Record<string, unknown>>, area: string): void => {
    if (area === 'managed' || (area === 'local' && policyKey in changes)) changed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => {
    browser.storage.onChanged.removeListener(listener);
  };
}
