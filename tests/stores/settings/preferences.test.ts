import { expect, test } from 'vitest';

import { fail } from '#core/result';
import { preferencePort } from '#stores/settings/ports';
import { usePreferences } from '#stores/settings/preferences';
import { withPorts } from '#tests/stores/with-ports';

function preferencesWith(
  change: () => Promise<ReturnType<typeof fail<{ kind: 'newer-version' }>>>,
) {
  return usePreferences(
    withPorts({
      ask: () => Promise.reject(new Error('Nothing is asked.')),
      provide: (app) =>
        app.provide(preferencePort, {
          read: () => Promise.resolve(undefined),
          change,
          watch: () => undefined,
        }),
    }),
  );
}

test('a change that the full disk does not take is shown, and said to be unsaved', async () => {
  const preferences = preferencesWith(() => Promise.reject(new Error('QuotaExceededError')));
  await preferences.change({ maskCodes: true });
  expect(preferences.current.maskCodes).toBe(true);
  expect(preferences.unsaved).toBe('storage-full');
});

test('so is one that would overwrite the preferences of a newer version', async () => {
  const preferences = preferencesWith(() => Promise.resolve(fail({ kind: 'newer-version' })));
  await preferences.change({ maskCodes: true });
  expect(preferences.unsaved).toBe('newer-version');
});
