import { rm } from 'node:fs/promises';

import { addConnection, checkCode, type ConnectionEntry, type Seen } from '#scripts/running/agent';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/running/extension';

export interface FirstCheck extends Seen {
  readonly code: string;
  /** The item's name on the page; `null` where none is shown. */
  readonly item: string | null;
  /** ISO 8601, from the page's `time` element. */
  readonly supportedUntil: string | null;
  /** Path of the screenshot. */
  readonly screenshot: string;
}

/**
 * Makes a first run: starts a browser with the extension on an empty profile, adds a connection on the options page and
 * checks one code in the popup. The browser stays open.
 */
export async function makeFirstCheck(plan: {
  readonly executablePath: string;
  readonly headless: boolean;
  /** A folder; its content is deleted. */
  readonly profile: string;
  readonly connection: ConnectionEntry;
  readonly code: string;
  readonly screenshot: string;
}): Promise<{ extension: Extension; check: FirstCheck }> {
  const { executablePath, headless, profile, connection, code, screenshot } = plan;
  await rm(profile, { recursive: true, force: true });
  await grantHosts(profile, ['http://127.0.0.1/*'], executablePath);
  const extension = await launchExtension(profile, { executablePath, headless });

  const options = await openPage(extension, 'options.html');
  await addConnection(options, connection);
  await options.close();

  const popup = await openPage(extension, 'popup.html');
  await popup.setViewportSize({ width: 384, height: 600 });
  const seen = await checkCode(popup, code);
  await popup.waitForLoadState('networkidle');
  await popup.screenshot({ path: screenshot, fullPage: true });
  const verdict = popup.locator('[data-verdict]').first();
  const item = verdict.locator('h3');
  const until = verdict.locator('dt:text-is("Supported") + dd time');
  return {
    extension,
    check: {
      ...seen,
      code,
      item: (await item.count()) === 0 ? null : await item.first().innerText(),
      supportedUntil:
        (await until.count()) === 0 ? null : await until.first().getAttribute('datetime'),
      screenshot,
    },
  };
}
