import { expect, test } from 'vitest';

import { succeed } from '#core/result';
import { useSettingsFile } from '#stores/settings/settings-file';
import { scriptedWorker } from '#tests/stores/scripted-worker';
import { withPorts } from '#tests/stores/with-ports';

function opened() {
  const worker = scriptedWorker({
    'connections.list': () => [],
    'settings.export': () => ({ format: 'counterfoil-settings', version: 1, connections: [] }),
    'settings.import': () => succeed({ added: 2, changed: 1 }),
  });
  return { settings: useSettingsFile(withPorts({ ask: worker.ask })), worker };
}

test('an export is JSON that an import reads', async () => {
  const { settings, worker } = opened();
  await settings.importFile(new Blob([await settings.exportText()]));
  expect(worker.bodies('settings.import')).toEqual([
    { file: { format: 'counterfoil-settings', version: 1, connections: [] } },
  ]);
  expect(settings.imported).toEqual(succeed({ added: 2, changed: 1 }));
});

test('text that is no JSON is left to the worker to refuse', async () => {
  const { settings, worker } = opened();
  await settings.importFile(new Blob(['<html>']));
  expect(worker.bodies('settings.import')).toEqual([{ file: '<html>' }]);
});

test('a huge file is not even read', async () => {
  const { settings, worker } = opened();
  await settings.importFile(new Blob([new Uint8Array(262_145)]));
  expect(worker.bodies('settings.import')).toEqual([]);
  expect(settings.imported).toMatchObject({ ok: false });
});
