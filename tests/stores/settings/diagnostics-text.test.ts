import { expect, it } from 'vitest';

import { defaultDialect } from '#core/connections/index';
import { diagnosticsText } from '#stores/settings/diagnostics-text';

it('diagnostics name versions, states and faults, and repeat nothing that a server said', () => {
  const text = diagnosticsText({
    version: '1.2.3',
    browser: 'Chromium 156',
    newer: true,
    secrets: { mode: 'passphrase', locked: true, lockAfterMinutes: 15 },
    connections: [
      {
        dialect: { ...defaultDialect, codePattern: 'CANARY-999' },
        hasKey: true,
        permitted: false,
        tested: { kind: 'refused', msg: 'canary', about: 'key' },
      },
    ],
    authorities: [{ kind: 'live', permitted: true }],
    sites: [{ automatic: true, permitted: true }],
    keys: [{ kind: 'test', revoked: true }],
    unreadable: [{ source: 'jobs', path: 'status' }],
    checks: [
      'good',
      { kind: 'server-error', status: 503 },
      { kind: 'not-permitted', origin: 'https://canary.example' },
    ],
  });
  expect(text).toBe(
    [
      'Counterfoil 1.2.3',
      'Browser: Chromium 156',
      'Keys: passphrase, locked',
      'Connection 1: key, not allowed, not proven, parameter/form, own pattern, 60 a minute, tested: refused (key)',
      'Authority 1: live, allowed',
      'Site 1: automatic, allowed',
      'Pinned keys: test (revoked)',
      'Unreadable records: jobs at status',
      'Stored by a newer version: yes',
      'Latest checks: good, server-error (503), not-permitted',
    ].join('\n'),
  );
  expect(text.toLowerCase()).not.toContain('canary');
});
