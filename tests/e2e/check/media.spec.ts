import type { Page } from '@playwright/test';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import { addConnection, checkCode } from '#scripts/running/agent';
import { startTinyServer } from '#tests/adapters/http/tiny-server';
import { expect, test } from '#tests/support/connected';
import { type Listener, listen } from '#tests/support/listener';
import { openDesk } from '#tests/support/pages/desk-page';
import { waitForAbsence } from '#tests/support/waits';

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><rect width="48" height="48"/></svg>';

/** A shop on loopback whose replies name addresses of another server there, in every field and several spellings. */
async function startHostileShop(other: Listener) {
  const { port } = new URL(other.origin);
  const at = (host: string, path: string): string => `http://${host}:${port}/${path}`;
  const hostile = {
    id: 1,
    name: 'Hostile',
    media: {
      thumbnail: at('127.0.0.1', 'router/reboot'),
      preview_image: at('0x7f.1', 'preview'),
      preview_video: at('2130706433', 'video'),
      preview_audio: at('localhost', 'audio'),
      screenshots: [at('[::ffff:127.0.0.1]', 'mapped'), at('127.0.0.1.', 'dot'), '/moved.svg'],
    },
  };
  const shop = await startTinyServer(({ url = '', headers }, response) => {
    const own = `http://${headers.host ?? ''}`;
    const media = { avatar: at('127.1', 'avatar'), cover: at('127.0.0.1', 'cover') };
    const replies: Readonly<Record<string, object>> = {
      '/api/account/details': { data: { username: 'shop', profile: { media } } },
      '/api/items/all': {
        items: [
          {
            ...hostile,
            media: {
              ...hostile.media,
              screenshots: hostile.media.screenshots.map((address) => new URL(address, own).href),
            },
          },
          { id: 2, name: 'Moved', media: { thumbnail: `${own}/moved.svg` } },
          { id: 3, name: 'Fine', media: { thumbnail: `${own}/fine.svg` } },
        ],
      },
    };
    const data = replies[url.replace(/\?.*/u, '')];
    if (data !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'success', ...data }));
    } else if (url === '/moved.svg') {
      response.writeHead(302, { location: at('127.0.0.1', 'moved') });
      response.end();
    } else {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(picture);
    }
  });
  return shop;
}

/** Waits until every picture on the page is drawn, and counts them. */
async function drawnPictures(page: Page): Promise<number> {
  return page
    .locator('img')
    .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth > 0).length);
}

test('pictures, video and audio of a connection on loopback are shown, and the pages themselves fetch none', async ({
  connected,
  extension,
}) => {
  const popup = await connected('/market');
  const asked: string[] = [];
  extension.now.context.on('request', (request) => {
    if (request.serviceWorker() === null && request.url().startsWith('http'))
      asked.push(request.url());
  });
  await checkCode(popup, sampleCodes('/market').supported);
  await expect.poll(() => drawnPictures(popup)).toBe(1);
  await expect(popup.locator('img.item-picture')).toHaveAttribute('src', /^data:image\/svg\+xml;/);

  const desk = await openDesk(extension, 'items');
  await desk.getByRole('link', { name: /Parcelflow/ }).click();
  await expect(desk.locator('.item-screenshots img').first()).toBeVisible();
  await expect.poll(() => drawnPictures(desk)).toBeGreaterThan(2);
  const account = await openDesk(extension, 'account');
  await expect.poll(() => drawnPictures(account)).toBe(2);

  for (const [kind, name] of [
    ['video', /^Ink in water/],
    ['audio', /^Notification set/],
  ] as const) {
    await desk.goto(desk.url().replace(/#.*$/u, '#/items'));
    await desk.getByRole('link', { name }).click();
    const element = desk.locator(kind);
    await expect(element).toHaveAttribute('src', new RegExp(`^data:${kind}/`));
    const isPlayable = await element.evaluate(
      (player) =>
        new Promise<boolean>((done) => {
          player.addEventListener('loadedmetadata', () => {
            done(true);
          });
          player.addEventListener('error', () => {
            done(false);
          });
          (player as HTMLMediaElement).preload = 'auto';
          (player as HTMLMediaElement).load();
        }),
    );
    expect(isPlayable, kind).toBe(true);
  }
  expect(asked).toEqual([]);
});

test('an address that a seller names makes no page call another server on loopback, and the policy of every page keeps pictures and media there out', async ({
  extension,
}) => {
  const other = await listen();
  const shop = await startHostileShop(other);
  const options = await extension.open('options.html');
  await addConnection(options, { name: 'Hostile', baseAddress: shop.origin, apiKey: 'key' });
  await options.getByRole('button', { name: 'Test connection' }).click();
  await expect(options.getByText('shop', { exact: true }).first()).toBeVisible();

  const desk = await openDesk(extension, 'items');
  await expect.poll(() => drawnPictures(desk)).toBe(1);
  await desk.getByRole('link', { name: 'Hostile' }).click();
  await expect(desk.locator('.item-detail')).toBeVisible();
  const account = await openDesk(extension, 'account');
  await expect(account.getByText('shop', { exact: true }).first()).toBeVisible();
  await waitForAbsence(500);
  expect(other.paths()).toEqual([]);
  expect(shop.requests.map(({ url }) => url)).toEqual(
    expect.arrayContaining(['/moved.svg', '/fine.svg']),
  );

  const page = await extension.open('popup.html');
  for (const name of ['popup', 'sidepanel', 'options', 'desk']) {
    await page.goto(page.url().replace(/\w+\.html$/u, `${name}.html`));
    await page.evaluate((origin) => {
      const refused = (['img', 'video', 'audio'] as const).map(
        (tag) =>
          new Promise((done) => {
            const element = Object.assign(document.createElement(tag), { src: `${origin}/${tag}` });
            element.addEventListener('error', done);
            document.body.append(element);
          }),
      );
      return Promise.all(refused).then(() => undefined);
    }, other.origin);
  }
  expect(other.paths()).toEqual([]);
  await Promise.all([shop.close(), other.close()]);
});
