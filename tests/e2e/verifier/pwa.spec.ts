import type { Page } from '@playwright/test';

import { problemsInLightAndDark } from '#tests/support/accessibility';
import {
  createOpenSslAuthority,
  createTestAuthority,
  installationState,
} from '#tests/support/license-files';
import { listen } from '#tests/support/listener';
import { networkLeft, sendEverywhere } from '#tests/support/outward-channels';
import { expect, type RunningPwa, test } from '#tests/support/pwa';
import {
  chooseFiles,
  dropFiles,
  enterKey,
  expectStanding,
  pinKey,
  resultOf,
} from '#tests/support/pages/verifier-page';
import { expectAccessible } from '#tests/support/pages/verifier-access';
import { addToStoredList, oddKeys } from '#tests/support/stored-lists';
import { waitForAbsence } from '#tests/support/waits';

const authority = createTestAuthority();
const state = installationState(authority);

/** Opened once, and everything it needs is on the device. */
async function waitUntilOffline(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect(page.getByText('Ready to work offline.')).toBeVisible();
}

test('loaded once, it judges a dropped file with the network off and the browser restarted', async ({
  installedPwa: pwa,
}) => {
  const first = await pwa.open();
  await first.setViewportSize({ width: 1280, height: 640 });
  await pinKey(first, authority.publicKey);
  await first.locator('.key-row summary').click();
  await waitUntilOffline(first);
  await test.step('that it is ready to work offline covers no button of a pinned key', async () => {
    await first.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
    });
    const boxes = await first
      .locator('.key-row button')
      .or(first.getByText('Ready to work offline.'))
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    const notice = boxes.at(-1);
    expect(boxes.length).toBeGreaterThan(2);
    for (const { bottom, top } of boxes.slice(0, -1))
      expect(bottom <= (notice?.top ?? 0) || top >= (notice?.bottom ?? 0)).toBe(true);
  });

  await pwa.stopServing();
  await pwa.restart();
  await pwa.context.setOffline(true);
  const page = await pwa.open();
  await dropFiles(page, [{ name: 'installation.json', text: state }]);
  const result = resultOf(page, 'installation.json');
  await expect(result).toHaveAttribute('data-standing', 'activated');
  await expect(result.getByRole('heading', { level: 2 })).toContainText(
    'Genuine, active on shop.example.com',
  );
  await expect(result).toContainText('Checks in again in 3 days; may run offline until');
  await expect(result).toContainText('a file cannot show a later revocation');
  await result.getByRole('button', { name: 'Preview' }).click();
  await result.getByRole('menuitem', { name: 'Preview' }).click();
  await expect(result.locator('[data-reply]')).toContainText(/^Hello,.*It is genuine: orbit-crm/su);
  expect(pwa.errors).toEqual([]);
});

test('before its program has loaded the page shows the same texts as after, and what is pasted into it is judged, the focus kept', async ({
  pwa,
}) => {
  const page = await pwa.context.newPage();
  const program = '**/assets/app-*.js';
  await page.route(program, (route) => route.abort());
  await page.goto(pwa.address);
  const field = page.getByRole('textbox', { name: 'License text' });
  const texts = async (): Promise<string[]> => {
    const shown = await page
      .locator('h1, .verifier-head p, .file-input p, .file-input label')
      .allInnerTexts();
    return [...shown, (await field.getAttribute('placeholder')) ?? ''];
  };
  const before = await texts();
  expect(before.length).toBeGreaterThan(4);

  const held = Promise.withResolvers<undefined>();
  await page.unrouteAll();
  await page.route(program, async (route) => {
    await held.promise;
    await route.continue();
  });
  const opened = page.reload();
  await field.fill(state);
  await field.press('Home');
  held.resolve(undefined);
  await opened;
  await expect(page.locator('[data-standing]')).toBeVisible();
  await expect(field).toHaveValue(state);
  await expect(field).toBeFocused();

  await page.reload();
  await expect(page.getByText('Choose files')).toBeVisible();
  expect(await texts()).toEqual(expect.arrayContaining(before));
});

test('where the browser keeps nothing for sites, what is dropped is looked into all the same', async ({
  pwa,
}) => {
  const page = await pwa.context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await page.goto(pwa.address);
  await expect(page.getByLabel('Theme')).toBeVisible();
  await dropFiles(page, [{ name: 'installation.json', text: state }]);
  await expect(resultOf(page, 'installation.json')).toHaveAttribute('data-standing', 'unverified');
  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('beside a pinned key it verifies what OpenSSL made, offers what it may do, and names keys that it cannot use', async ({
  pwa,
}) => {
  const openssl = createOpenSslAuthority();
  const page = await pwa.open();
  await pinKey(page, openssl.publicKey);
  await test.step('files made by OpenSSL alone verify; the site asks nobody, and says why', async () => {
    await chooseFiles(page, ['openssl.json', installationState(openssl)]);
    await expectStanding(page, 'openssl.json', 'activated');
    await expect(page.getByRole('button', { name: 'Ask the license server' })).toHaveCount(0);
    await expect(page.getByText('This site cannot send anything')).toBeVisible();
  });

  await test.step('a license that was written in HTML, then in a link, is genuine here as well', async () => {
    const html = `<pre>${installationState(openssl).replaceAll('"', '&quot;')}</pre>`;
    const link = `https://desk.test/new?body=${encodeURIComponent(html)}`;
    await dropFiles(page, [{ name: 'note.txt', text: link }]);
    await expectStanding(page, 'note.txt', 'activated');
  });

  await test.step('a purchase code in a license is offered to no check: the site may talk to nobody', async () => {
    const claims = { license_id: 'LIC-1', purchase_code: '86781236-23d0-4b3c-7dfa-c1c147e0dece' };
    await chooseFiles(page, ['one.lic', openssl.sign(claims)]);
    await expectStanding(page, 'one.lic', 'not-activated');
    await expect(page.getByRole('button', { name: 'Check this purchase' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0);
  });

  await test.step('pinned keys that cannot be used are named until the agent removes them', async () => {
    await addToStoredList(page, 'pinned-keys', oddKeys);
    await page.reload();
    const newer = page.getByText('A newer version of Counterfoil stored some of the pinned keys.');
    const unreadable = page.getByText('A pinned key could not be read and was set aside');
    await expect(newer).toBeVisible();
    await page.getByRole('button', { name: 'Remove what was set aside' }).click();
    await expect(unreadable).toBeHidden();
    await page.reload();
    await expect(newer).toBeVisible();
    await expect(unreadable).toBeHidden();
  });

  await test.step('its language and theme are chosen on it and kept, and it is installed where the browser offers it', async () => {
    const html = page.locator('html');
    await page.getByLabel('Theme').selectOption('Dark');
    await expect(html).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(html).toHaveAttribute('data-theme', 'dark');

    await expect(page.getByRole('button', { name: 'Install' })).toHaveCount(0);
    await page.evaluate(() => {
      const offer = Object.assign(new Event('beforeinstallprompt'), {
        prompt: () => Promise.resolve((document.title = 'asked')),
      });
      dispatchEvent(offer);
    });
    await page.getByRole('button', { name: 'Install' }).click();
    await expect(page).toHaveTitle('asked');

    await chooseFiles(page, ['kept.json', state]);
    await expect(resultOf(page, 'kept.json')).toBeVisible();
    const language = page.locator('.site-controls select').first();
    await language.selectOption('العربية');
    await expect(html).toHaveAttribute('lang', /^ar/);
    await expect(html).toHaveAttribute('dir', 'rtl');
    await expect(resultOf(page, 'kept.json')).toBeVisible();
    await expect(language).toBeFocused();
    await language.selectOption('Deutsch');
    await expect(html).toHaveAttribute('lang', /^de/);
    await expect(html).toHaveAttribute('dir', 'ltr');
    await expect(page.getByRole('heading', { name: 'Lizenzprüfer' })).toBeVisible();
    await expect(resultOf(page, 'kept.json')).toBeVisible();
  });
  openssl.end();
});

test('nothing leaves while files are inspected, and page, workers and service worker cannot call out', async ({
  pwa,
}) => {
  const outside = await listen();
  const page = await pwa.open();
  await waitUntilOffline(page);
  await page.reload();
  await pinKey(page, authority.publicKey);
  await expect.poll(() => page.workers().length).toBeGreaterThan(1);
  const asked: string[] = [];
  pwa.context.on('request', (request) => asked.push(request.url()));
  await chooseFiles(page, ['one.json', state], ['two.lic', 'nothing'], ['three.bin', '\0\0\0']);
  await expectStanding(page, 'one.json', 'activated');
  await expectStanding(page, 'two.lic', 'unverified');
  expect(asked).toEqual([]);

  const callOut = async (address: string): Promise<string> => {
    try {
      await fetch(address, { mode: 'no-cors' });
      return 'went out';
    } catch (error) {
      return String(error);
    }
  };
  await page.evaluate(sendEverywhere, outside.origin);

  const workers = page.workers();
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) {
    expect(await worker.evaluate(callOut, outside.origin)).toMatch(/^(?:Type|Reference)Error/);
    expect(await worker.evaluate(networkLeft)).toEqual([]);
    expect(
      await worker.evaluate(
        (address) =>
          import(`${address}/module.js`).then(
            () => 'came',
            () => 'refused',
          ),
        outside.origin,
      ),
    ).toBe('refused');
  }
  const [serviceWorker] = pwa.context.serviceWorkers();
  if (serviceWorker === undefined) throw new Error('There is no service worker.');
  expect(await serviceWorker.evaluate(callOut, outside.origin)).toMatch(/^TypeError/);
  await waitForAbsence(500);
  expect(outside.paths()).toEqual([]);
  await outside.close();
});

test('framed by another page it shows no verifier and pins nothing, whatever headers the host sends', async ({
  pwa,
}) => {
  const page = await pwa.context.newPage();
  const framing = 'http://framing.example/';
  await page.route(framing, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><iframe src="${pwa.address}" width="900" height="700"></iframe>`,
    }),
  );
  // A host that can send no headers.
  await page.route(`${pwa.address}**`, async (route) => {
    const response = await route.fetch();
    const headers = Object.entries(response.headers());
    await route.fulfill({
      response,
      headers: Object.fromEntries(headers.filter(([name]) => name !== 'content-security-policy')),
    });
  });
  await page.goto(framing);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('link', { name: 'Open the verifier by itself' })).toBeVisible();
  await expect(frame.getByLabel('Public key')).toHaveCount(0);
  await expect(frame.locator('input, textarea')).toHaveCount(0);
  const [opened] = await Promise.all([
    pwa.context.waitForEvent('page'),
    frame.getByRole('link', { name: 'Open the verifier by itself' }).click(),
  ]);
  await expect(opened.getByRole('button', { name: 'Pin key' })).toBeVisible();
});

/**
 * Posts a form to the share target: as the operating system does, which names no origin, or from a page of `from`.
 * @param files by name: their text, or their size in bytes
 * @returns the page that the form was answered with
 */
async function share(
  pwa: RunningPwa,
  files: Readonly<Record<string, string | number>>,
  { text = '', from }: { text?: string; from?: string } = {},
): Promise<Page> {
  const page = await pwa.context.newPage();
  if (from !== undefined) {
    await page.route(from, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Foreign</title>' }),
    );
    await page.goto(from);
  }
  await Promise.all([
    page.waitForURL((address) => address.href.startsWith(pwa.address)),
    page.evaluate(
      ({ action, named, said }) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: 'multipart/form-data' });
        const transfer = new DataTransfer();
        for (const [name, content] of Object.entries(named))
          transfer.items.add(
            new File([typeof content === 'number' ? new Uint8Array(content) : content], name),
          );
        const chosen = Object.assign(document.createElement('input'), {
          type: 'file',
          name: 'files',
          multiple: true,
        });
        chosen.files = transfer.files;
        const field = Object.assign(document.createElement('textarea'), { name: 'text' });
        field.value = said;
        form.append(chosen, field);
        document.documentElement.append(form);
        form.submit();
      },
      { action: `${pwa.address}share-target`, named: files, said: text },
    ),
  ]);
  return page;
}

test('what is shared to it waits for the agent', async ({ pwa }) => {
  const first = await pwa.open();
  await test.step('a window that is opened while another installs the site is told of no new version', async () => {
    const second = await pwa.open();
    for (const page of [first, second]) {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await expect(page.locator('.update')).not.toContainText('A new version');
    }
    await second.close();
  });

  await pinKey(first, authority.publicKey);
  await test.step('it is shown as inert text, opened on the agent’s word, and then gone', async () => {
    const page = await share(pwa, { 'shared.lic': state }, { text: state });
    await expect(page.getByText('A shared file is waiting')).toBeVisible();
    await expect(page.locator('[data-standing]')).toHaveCount(0);
    expect(page.url()).toBe(pwa.address);
    await page.getByRole('button', { name: 'Open it' }).click();
    await expectStanding(page, 'shared.lic', 'activated');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Pinned keys' })).toBeVisible();
    await expect(page.getByText('A shared file is waiting')).toHaveCount(0);
    await page.close();
  });

  await test.step('a form of a foreign site leaves nothing', async () => {
    await (await share(pwa, { 'first.lic': state })).close();
    const page = await share(
      pwa,
      { 'foreign.lic': 'planted' },
      { from: 'http://foreign.example/form' },
    );
    await page.goto(pwa.address);
    await expect(page.getByText('first.lic')).toBeVisible();
    await expect(page.getByText('more share')).toHaveCount(0);
    await page.close();
  });

  await test.step('a share never takes the place of another: each waits until the agent has seen it', async () => {
    const page = await share(pwa, { 'second.lic': state });
    await expect(page.getByText('first.lic')).toBeVisible();
    await expect(page.getByText('1 more share waits after this one.')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('second.lic')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('A shared file is waiting')).toHaveCount(0);
    await page.close();
  });

  await test.step('a share that is too large is not kept, and the agent is told', async () => {
    await (await share(pwa, { 'huge.lic': 33_000_000 })).close();
    const page = await pwa.open();
    await expect(page.getByText('It was larger than 32 MB and was not kept.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open it' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('A shared file is waiting')).toHaveCount(0);
  });
});

test('only the shell is ever cached, and what the service worker answers carries the policy', async ({
  pwa,
}) => {
  const page = await pwa.open();
  await waitUntilOffline(page);
  await page.reload();
  await page.evaluate(() => fetch('./icon-512.png'));
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname.replace('/tools/verifier/', ''));
  });
  expect(
    cached.filter(
      (path) =>
        !/^(?:index\.html|theme\.js|icon\.svg|manifest\.webmanifest|assets\/[\w.-]+)$/.test(path),
    ),
  ).toEqual([]);
  expect(cached.length).toBeGreaterThan(3);
  // Of a language what the site shows, and no text of another page.
  const german = cached.flatMap((path) => /^assets\/(de[a-z.]*)-/u.exec(path)?.[1] ?? []);
  expect(german.toSorted()).toEqual(['de.base', 'de.reply', 'de.undo', 'de.verifier']);

  await pwa.stopServing();
  const policy = await page.evaluate(async () => {
    return (await fetch(location.href)).headers.get('content-security-policy');
  });
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("default-src 'none'");
});

test('axe finds nothing, empty, with a key to confirm and with results, in light and in dark; nor on a narrow page in any way of looking at it, and nothing is cut off', async ({
  pwa,
}) => {
  const page = await pwa.open();
  expect(await problemsInLightAndDark(page)).toEqual([]);
  await enterKey(page, authority.publicKey);
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  expect(await problemsInLightAndDark(page)).toEqual([]);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByLabel('Domain').fill('other.example.com');
  await chooseFiles(
    page,
    ['one.json', state],
    ['due.json', installationState(authority, { shift: -5 * 24 * 3600 * 1000 })],
    ['bad.lic', 'nothing'],
  );
  await expectStanding(page, 'due.json', 'validation-due');
  await page.locator('summary').evaluateAll((all) => {
    for (const summary of all) summary.parentElement?.setAttribute('open', '');
  });
  expect(await problemsInLightAndDark(page)).toEqual([]);

  await chooseFiles(page, ['installation.json', state]);
  await page.getByLabel('Domain').fill('www.shop.example.com');
  await expect(
    page.getByRole('region', { name: 'installation.json' }).getByText('Wrong domain'),
  ).toBeVisible();
  await expectAccessible(page);

  await test.step('narrow as well, in German as in English, its title is one line and nothing scrolls sideways', async () => {
    await page.locator('html').evaluate((html) => {
      html.removeAttribute('dir');
    });
    for (const language of ['en', 'de']) {
      await page.evaluate((tag) => {
        localStorage.setItem('language', tag);
      }, language);
      await page.reload();
      await page.locator(`html[lang="${language}"]`).waitFor();
      for (const width of [360, 640, 720, 800, 880]) {
        await page.setViewportSize({ width, height: 800 });
        const measures = (): Promise<readonly [isOneLine: boolean, sideways: number]> =>
          page
            .getByRole('heading', { level: 1 })
            .evaluate((title) => [
              title.clientHeight < 30,
              document.documentElement.scrollWidth - document.documentElement.clientWidth,
            ]);
        // The page is drawn anew after each of these.
        await expect.poll(measures, `${language} at ${String(width)} px`).toEqual([true, 0]);
      }
    }
  });
});
