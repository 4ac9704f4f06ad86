import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { parseTeamSettings, type SignedTeamSettings } from '#core/team/index';
import { startSandboxRelay } from '#scripts/running/start-relay';

test('the relay of npm start offers signed settings that lead to its connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'start-relay-'));
  const account = { baseAddress: 'https://market.test', apiKey: 'key-0123456789' };
  const relay = await startSandboxRelay(join(folder, 'relay'), account);
  const headers = { authorization: `Bearer ${relay.connection.apiKey}` };
  const reply = await fetch(`${relay.origin}/relay/v1/settings`, { headers });
  await relay.stop();
  await rm(folder, { recursive: true });
  const { settings } = (await reply.json()) as { readonly settings: SignedTeamSettings | null };
  const parsed = parseTeamSettings(settings?.payload ?? '');
  expect(parsed).toMatchObject({
    value: {
      settings: { connections: [{ name: 'Sandbox', baseAddress: `${relay.origin}/c/demo` }] },
    },
  });
});
