import { expect, test } from 'vitest';

import { fail } from '#core/result';
import { preferencePort } from '#stores/settings/ports';
import { usePreferences } from '#stores/settings/preferences';
import { withPorts } from '#tests/stores/with-ports';

test.each(['storage-full', 'newer-version'] as const)(
  'a change that is not stored is shown, and said to be unsaved: %s',
  async (kind) => {
    const preferences = usePreferences(
      withPorts({
        ask: () => Promise.reject(new Error('Nothing is asked.')),
        provide: (app) =>
          app.provide(preferencePort, {
            read: () => Promise.resolve(undefined),
            change: () => Promise.resolve(fail({ kind })),
            watch: () => undefined,
          }),
      }),
    );
    await preferences.change({ maskCodes: true });
    expect(preferences.current.maskCodes).toBe(true);
    expect(preferences.unsaved).toBe(kind);
  },
);
