import type { Page } from '@playwright/test';

import { type Dialect, defaultDialect } from '#core/connections/index';
import { originPattern } from '#core/address/index';
import type { Ask, ReplyMessage } from '#messaging/index';
import type { ConnectionEntry } from '#scripts/running/agent';
import type { Extension } from '#scripts/running/extension';
import { giveBackTab, takeTab } from '#tests/support/tabs';

/**
 * Prepares what a test is not about, from a page of the extension that runs no script, so that it opens in no time. It
 * may ask the worker what the options page may.
 */
export interface QuietPage {
  /** Asks the browser for an origin, which must have been granted before the start. */
  readonly permit: (address: string) => Promise<void>;
  readonly ask: Ask;
  readonly page: Page;
}

/** The query tells it from the options page, which some tests look for among the browser's pages. */
const quietPath = 'options.html?quiet';

/** Opens a quiet page, or takes the one that was opened before, and gives its tab back when `use` is done. */
export async function withQuietPage<T>(
  { context, id }: Pick<Extension, 'context' | 'id'>,
  use: (quiet: QuietPage) => Promise<T>,
): Promise<T> {
  const page = await takeTab(context);
  const address = `chrome-extension://${id}/${quietPath}`;
  if (page.url() !== address) {
    const devtools = await context.newCDPSession(page);
    // What is evaluated in the page runs nevertheless.
    await devtools.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.goto(address);
    await devtools.detach();
  }
  const permit = async (address: string): Promise<void> => {
    const permitted = await page.evaluate(
      (origin) => chrome.permissions.request({ origins: [origin] }),
      originPattern(address),
    );
    if (!permitted) throw new Error(`${address} was not granted before the browser started.`);
  };
  const ask: Ask = async (topic, body) => {
    const reply = await page.evaluate<ReplyMessage<typeof topic>, { topic: string; body: unknown }>(
      (message) => chrome.runtime.sendMessage({ ...message, nonce: crypto.randomUUID() }),
      { topic, body },
    );
    if (!reply.answered) throw new Error(`${topic}: ${reply.reason}`);
    return reply.reply;
  };
  const answer = await use({ permit, ask, page });
  giveBackTab(page);
  return answer;
}

/** Adds a connection and tests it, as the form of the options page does, without the form. */
export async function addConnectionQuietly(
  { permit, ask }: QuietPage,
  { name, baseAddress, apiKey }: ConnectionEntry,
  dialect: Partial<Dialect> = {},
): Promise<void> {
  await permit(baseAddress);
  const draft = { name, baseAddress, apiKey, dialect: { ...defaultDialect, ...dialect } };
  const saved = await ask('connections.save', draft);
  if (!saved.ok) throw new Error(`The connection was not saved: ${saved.fault.kind}`);
  await ask('connections.test', { id: saved.value.id });
}
