import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addConnection } from '#scripts/running/agent';
import { findProgram } from '#scripts/machine/system-packages';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/running/extension';
import { expect, test as base, hiddenPageWith } from '#tests/support/ticket';
import { takeTab } from '#tests/support/tabs';

/** A desktop without a monitor, since headless browsers have neither shortcuts nor an address bar; and hands for it. */
interface Desktop {
  /** X display, such as `:99`. */
  readonly display: string;
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
}

const missing = ['Xvfb', 'xdotool'].filter((program) => findProgram(program) === undefined);

const test = base.extend<{ onScreen: Extension; desktop: Desktop }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  desktop: async ({}, use) => {
    test.skip(missing.length > 0, `Shortcuts and the address bar need ${missing.join(', ')}.`);
    const server: ChildProcess = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [line] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
    const display = `:${line.toString().trim()}`;
    const { DISPLAY: before } = process.env;
    process.env['DISPLAY'] = display;
    const hand = async (...args: string[]): Promise<void> => {
      spawnSync('xdotool', args);
      await pause(150);
    };
    await use({
      display,
      press: (keys) => hand('key', '--clearmodifiers', keys),
      type: (text) => hand('type', '--delay', '15', text),
    });
    // A browser of a later test would wait for a display that is gone.
    if (before === undefined) Reflect.deleteProperty(process.env, 'DISPLAY');
    else process.env['DISPLAY'] = before;
    server.kill();
  },

  onScreen: async ({ desktop, chromium }, use) => {
    // The browser must start on the display that the keys are sent to.
    expect(process.env['DISPLAY']).toBe(desktop.display);
    const profile = await mkdtemp(join(tmpdir(), 'counterfoil-'));
    await grantHosts(profile, ['http://127.0.0.1/*', 'http://localhost/*']);
    const extension = await launchExtension(profile, {
      executablePath: chromium,
      headless: false,
    });
    await use(extension);
    await extension.context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  },
});

const demo = sampleCodes('/demo');

test('the shortcut and the address bar lead to a verdict', async ({
  desktop,
  onScreen,
  sandbox,
  desk,
}) => {
  const options = await openPage(onScreen, 'options.html');
  await addConnection(options, sandbox.connection('/demo'));
  await options.close();
  const running = { now: onScreen };

  const page = await takeTab(onScreen.context);
  await page.goto(`${desk}/tickets/1042`);
  await page.bringToFront();
  await page.getByText(demo.lapsedYesterday.toUpperCase()).click({ clickCount: 3 });
  await desktop.press('alt+shift+k');
  await hiddenPageWith(running, 'popup.html', 'lapsed');
  await desktop.press('Escape');
  await desktop.press('Escape');

  await page.bringToFront();
  await desktop.press('ctrl+l');
  await desktop.type('cf ');
  await pause(500);
  await desktop.type(demo.noSupport);
  await pause(500);
  await desktop.press('Return');
  const panel = await hiddenPageWith(running, 'sidepanel.html', 'no-support');
  expect(await panel.evaluate(`location.href`)).not.toContain(demo.noSupport);
});
