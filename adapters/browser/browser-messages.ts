import { browser } from 'wxt/browser';

/**
 * Returns a message from `browser.json`, for use outside our pages: menus, the address bar, chips in web pages.
 * @param substitution replaces the message's placeholder
 */
export type BrowserMessages = (key: string, substitution?: string) => string;

export function createBrowserMessages(): BrowserMessages {
  return (key, substitution) => {
    // WXT's types know only the keys that every extension has.
    const { i18n }: { i18n: { getMessage: unknown } } = browser;
    const getMessage = i18n.getMessage as (key: string, substitutions: string[]) => string;
    return getMessage(key, substitution === undefined ? [] : [substitution]);
  };
}
