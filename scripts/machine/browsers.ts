import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { chromium } from '@playwright/test';

import { leastBrowsers } from '#scripts/build/extension';

/**
 * Finds a Chromium that can load the built extension: `CHROMIUM` from the environment, else one on this machine.
 * Skips branded Chrome, which ignores `--load-extension` since 137, and snaps, which do not see /tmp.
 */
export function findChromium(): string | undefined {
  return [process.env['CHROMIUM'], ...chromiumPaths(), chromium.executablePath()].find(
    (path) => path !== undefined && isChromium(path),
  );
}

/**
 * Finds a Firefox that can install the built extension for a session: `FIREFOX` from the environment, else one on this
 * machine.
 */
export function findFirefox(): string | undefined {
  return [
    process.env['FIREFOX'],
    ...onPath('firefox-esr', 'firefox'),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((path) => path !== undefined && isFirefox(path));
}

function chromiumPaths(): string[] {
  return [
    ...onPath('chromium', 'chromium-browser', 'chrome-for-testing', 'google-chrome-for-testing'),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    join(homedir(), 'Applications/Chromium.app/Contents/MacOS/Chromium'),
    '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  ];
}

function onPath(...names: string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isChromium(path: string): boolean {
  const version = /^(?:Chromium|Google Chrome for Testing) (\d+)/.exec(versionOf(path));
  return version !== null && Number(version[1]) >= leastBrowsers.chromium;
}

function isFirefox(path: string): boolean {
  const version = /^Mozilla Firefox (\d+)/.exec(versionOf(path));
  return version !== null && Number(version[1]) >= leastBrowsers.firefox;
}

/** Returns the output of `--version`; `''` where there is no browser or it is a snap. */
function versionOf(path: string): string {
  if (!existsSync(path)) return '';
  const { stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return error !== undefined || / snap\b/.test(stdout) ? '' : stdout.trim();
}
