import { rm } from 'node:fs/promises';

import { addConnection, checkCode, type ConnectionEntry, type Seen } from '#scripts/agent';
import { type Extension, grantHosts, launchExtension, openPage } from '#scripts/extension';

export interface FirstCheck extends Seen {
  readonly code: string;
  /** The item's name as on the page, `null` where none is shown. */
  readonly item: string | null;
  /** ISO 8601, as the page's own `time` element has it. */
  readonly supportedUntil: string | null;
  /** Path of the picture taken. */
  readonly screenshot: string;
}

/**
 * A first run, as a person would do it: a browser with the extension on an empty profile, a connection set up on
 * the options page, one code checked in the popup. The browser stays open.
 */
export async function makeFirstCheck(plan: {
  readonly executablePath: string;
  readonly headless: boolean;
  /** A folder that is emptied. */
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
