import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { startSandbox } from '#sandbox/server';
import { addConnection, checkCode } from '#scripts/running/agent';
import { obtainChromium } from '#scripts/machine/browsers';
import { buildExtension } from '#scripts/build/build';
import { grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { endAllOnSignals, root } from '#scripts/machine/processes';
import { runCommand } from '#scripts/command-line/refusal';

endAllOnSignals();

/** Takes the documents' screenshots from the production build and the sandbox. */
await runCommand(async () => {
  const executablePath = await obtainChromium(console.log);
  await buildExtension(console.log);
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const connection = {
    name: 'Fenwick Studio',
    baseAddress: `${sandbox.origin}/demo`,
    apiKey: sandbox.keys['/demo'],
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    const profile = await mkdtemp(join(tmpdir(), 'counterfoil-pictures-'));
    await grantHosts(profile, ['http://127.0.0.1/*'], executablePath);
    const extension = await launchExtension(profile, {
      executablePath,
      headless: true,
      colorScheme,
      sharpness: 2,
    });
    const options = await openPage(extension, 'options.html');
    await options.setViewportSize({ width: 1000, height: 760 });
    await addConnection(options, connection);
    await options.getByRole('button', { name: 'Test connection' }).click();
    await options.getByText('fenwick-studio').first().waitFor();
    await options.waitForLoadState('networkidle');
    await options.mouse.move(0, 0);
    await options.screenshot({ path: picture(`options-${colorScheme}`) });

    const popup = await openPage(extension, 'popup.html');
    await popup.setViewportSize({ width: 384, height: 200 });
    await checkCode(popup, sampleCodes('/demo').supported);
    await popup.waitForLoadState('networkidle');
    await popup.screenshot({ path: picture(`popup-${colorScheme}`), fullPage: true });
    await extension.context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  await sandbox.close();
  return 0;
});

function picture(name: string): string {
  const path = join(root, `docs/${name}.png`);
  console.log(path);
  return path;
}
