import { browser } from 'wxt/browser';

/**
 * Words for where no page of ours is: menus, the address bar, chips in web pages. They lie in `public/_locales`, as those of
 * the manifest do.
 */
export type BrowserMessages = (key: string, filling?: string) => string;

export function createBrowserMessages(): BrowserMessages {
  // WXT's types know only the keys that every extension has.
  const { i18n }: { i18n: { getMessage: unknown } } = browser;
  const getMessage = i18n.getMessage as (key: string, fillings: string[]) => string;
  return (key, filling) => getMessage(key, filling === undefined ? [] : [filling]);
}
