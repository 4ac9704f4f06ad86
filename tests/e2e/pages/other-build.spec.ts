import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { sourceBuildId } from '#scripts/build/extension';
import { addConnection, checkCode } from '#scripts/running/agent';
import {
  type Extension,
  chromiumBuild,
  grantHosts,
  launchExtension,
  openPage,
} from '#scripts/running/extension';
import { expect, test } from '#tests/support/extension';

const { supported } = sampleCodes('/demo');

/** Names a build anew in all scripts that name it: to a browser it is another one. Returns how many there are. */
function rename(build: string, from: string, to: string): number {
  const scripts = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'utf8').includes(from));
  for (const file of scripts) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  return scripts.length;
}

/** Sets the browser's developer mode, without which it starts no unpacked extension anew. */
function allowUnpacked(profile: string): void {
  const file = join(profile, 'Default/Preferences');
  const preferences = JSON.parse(readFileSync(file, 'utf8')) as { extensions: { ui?: object } };
  preferences.extensions.ui = { developer_mode: true };
  writeFileSync(file, JSON.stringify(preferences));
}

test('a page that meets the worker of another build starts the extension anew, and nothing is lost', async ({
  chromium: executablePath,
  sandbox,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-builds-'));
  const [build, profile] = [join(folder, 'build'), join(folder, 'profile')];
  cpSync(chromiumBuild, build, { recursive: true });
  await grantHosts(profile, ['http://127.0.0.1/*'], build);
  allowUnpacked(profile);
  const launch = (): Promise<Extension> =>
    launchExtension(profile, { executablePath, headless: true, build });

  let running = await launch();
  const options = await openPage(running, 'options.html');
  await addConnection(options, sandbox.connection('/demo', 'Fenwick'));
  await running.context.close();
  // The worker's, that of the pages, and the script's of the help desks.
  expect(rename(build, sourceBuildId(), 'ffffffffffff')).toBeGreaterThanOrEqual(3);

  running = await launch();
  const popup = await openPage(running, 'popup.html');
  await expect(popup.getByRole('alert')).toContainText('Counterfoil was updated or stopped');
  // The browser closes the pages of an extension that starts anew.
  await popup.waitForEvent('close');
  await expect(async () => {
    const again = await openPage(running, 'popup.html');
    expect((await checkCode(again, supported)).verdict).toBe('supported');
    await expect(again.getByRole('alert')).toBeHidden();
  }).toPass({ timeout: 30_000 });
  await running.context.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
