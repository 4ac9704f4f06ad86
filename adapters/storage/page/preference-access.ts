import { browser } from 'wxt/browser';

import {
  changePreferences,
  createPreferenceSetting,
  preferencesKey,
} from '#adapters/storage/preference-setting';
import type { NewerVersion } from '#adapters/storage/stored-setting';
import { popupPageOf } from '#core/preferences/index';
import type { Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';

export async function read(): Promise<unknown> {
  const stored = await createPreferenceSetting(browser.storage.local).read();
  // A policy sets it in the worker, which has no `localStorage`.
  if (stored?.['language'] !== undefined) mirror('language', stored['language']);
  return stored;
}

export async function change(changes: object): Promise<Result<void, NewerVersion | StorageFull>> {
  const written = await changePreferences(browser.storage.local, changes);
  const { theme, language } = changes as Record<string, unknown>;
  if (written.ok && language !== undefined) mirror('language', language);
  if (written.ok && theme !== undefined) {
    mirror('theme', theme);
    await browser.action.setPopup({ popup: popupPageOf(theme) });
  }
  return written;
}

export function watch(changed: (preferences: unknown) => void): void {
  browser.storage.local.onChanged.addListener((changes) => {
    const written = changes[preferencesKey];
    if (written !== undefined) changed(written.newValue);
  });
}

/** Copies a preference to `localStorage`, where the next page can read it synchronously before the first paint. */
function mirror(name: 'language' | 'theme', value: unknown): void {
  localStorage.setItem(name, String(value));
}
