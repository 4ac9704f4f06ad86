import type { Page } from '@playwright/test';

/** The popup's verdict on one code. */
export interface Seen {
  /** The element's `data-verdict`. */
  readonly verdict: string;
  /** The kind of fault, where it is one. */
  readonly fault?: string;
  /** The headline, as an agent reads it. */
  readonly sentence: string;
  /** From Enter to the settled verdict. */
  readonly milliseconds: number;
}

export interface ConnectionEntry {
  readonly name: string;
  readonly baseAddress: string;
  readonly apiKey: string;
  /** Where it is absent, what the form offers is taken. */
  readonly keyPlacement?: 'Authorization';
}

const timeoutMs = 25_000;

/** Adds a connection on the options page and waits until its test is over. The origin must have been granted before. */
export async function addConnection(options: Page, entry: ConnectionEntry): Promise<void> {
  await options.getByRole('button', { name: 'Add connection' }).first().click();
  await options.getByLabel('Name', { exact: true }).fill(entry.name);
  await options.getByLabel('Base address', { exact: true }).fill(entry.baseAddress);
  await options.getByLabel('API key', { exact: true }).fill(entry.apiKey);
  if (entry.keyPlacement !== undefined) {
    await options.getByText('Advanced: how this server expects requests').click();
    await options.getByLabel('Send the key as').selectOption(entry.keyPlacement);
  }
  await options.getByRole('button', { name: 'Save', exact: true }).click();
  const card = options.getByRole('article', { name: entry.name, exact: true }).last();
  // The form of a key that is refused opens again in the place of the card.
  const refused = options.getByText(/^This key is stored, but/u);
  await card.locator('[data-connection-test] article').or(refused).first().waitFor();
  if (await refused.isVisible())
    await options.getByRole('button', { name: 'Cancel', exact: true }).click();
}

export interface LicenseAuthority {
  readonly name: string;
  readonly address: string;
  /** Labels of pinned keys to tie to it. */
  readonly keys?: readonly string[];
}

/** Adds a license authority for tests on the options page. The origin must have been granted before. */
export async function addAuthority(options: Page, entry: LicenseAuthority): Promise<void> {
  await options.getByRole('link', { name: 'Team setup' }).click();
  await options.getByRole('button', { name: 'Add license server' }).click();
  const form = options.getByRole('form', { name: 'New license server' });
  await form.getByLabel('What to call it').fill(entry.name);
  await form.getByLabel('License server address').fill(entry.address);
  await form.getByRole('radio', { name: 'Test' }).check();
  for (const key of entry.keys ?? []) await form.getByRole('checkbox', { name: key }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await options.getByRole('heading', { name: entry.name, exact: true }).waitFor();
  await options.getByRole('link', { name: 'You', exact: true }).click();
}

export async function pinTestKey(page: Page, publicKey: string): Promise<void> {
  await page.getByLabel('Public key').fill(publicKey);
  await page.getByRole('button', { name: 'Pin key' }).click();
  await page.getByLabel('Label').fill('Sandbox');
  await page.getByRole('radio', { name: 'Test' }).check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Sandbox', { exact: true }).first().waitFor();
}

/**
 * Types into the popup, presses Enter and waits for the first verdict, measured in the page itself. Reloads a popup
 * that shows one already.
 */
export async function checkCode(popup: Page, text: string): Promise<Seen> {
  if ((await popup.locator('[data-verdict]').count()) > 0) await popup.reload();
  const field = popup.getByRole('textbox', { name: 'Purchase code' });
  await field.fill(text);
  await popup.evaluate(watchForVerdict);
  await field.press('Enter');
  const settled = await popup.waitForFunction(() => window.settledVerdict, undefined, {
    timeout: timeoutMs,
    polling: 20,
  });
  const seen = await settled.jsonValue();
  if (seen === undefined) throw new Error('The page settled without a verdict.');
  return seen;
}

declare global {
  interface Window {
    settledVerdict?: Seen;
  }
}

/**
 * Runs in the page: records the moments of the Enter key and of the first settled verdict: when its sentence stood
 * there.
 */
function watchForVerdict(): void {
  delete window.settledVerdict;
  let asked = performance.now();
  addEventListener(
    'keydown',
    () => {
      asked = performance.now();
    },
    { capture: true, once: true },
  );
  let stood = { verdict: '', at: 0 };
  const look = (): void => {
    const element = document.querySelector<HTMLElement>('[data-verdict]');
    const verdict = element?.dataset['verdict'];
    if (element === null || verdict === undefined || verdict === '') return;
    if (stood.verdict !== verdict) stood = { verdict, at: performance.now() };
    // The rest of the card is drawn a frame later.
    if (element.ariaBusy === 'true') return;
    observer.disconnect();
    const fault = element.dataset['fault'];
    window.settledVerdict = {
      verdict,
      ...(fault === undefined ? {} : { fault }),
      sentence: element.querySelector('h1, h2, h3')?.textContent.trim() ?? element.innerText.trim(),
      milliseconds: stood.at - asked,
    };
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}
