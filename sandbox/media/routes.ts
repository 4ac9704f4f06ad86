import { readFile } from 'node:fs/promises';

import { Hono } from 'hono';
import * as v from 'valibot';

import type { SandboxEnvironment } from '#sandbox/environment';
import { drawPicture } from '#sandbox/media/pictures';
import { synthesize } from '#sandbox/media/sound';
import { accounts } from '#sandbox/seed/accounts';
import type { SeedItem } from '#sandbox/seed/shape';
import type { SellerStore } from '#sandbox/seller/seller-store';

const accountId = v.picklist(accounts.map(({ id }) => id));
const clip = new URL('preview.webm', import.meta.url);

/** Sizes in pixels. */
const sizes = {
  thumbnail: { width: 80, height: 80 },
  preview: { width: 590, height: 300 },
  screenshot: { width: 960, height: 600 },
  avatar: { width: 160, height: 160 },
  cover: { width: 1180, height: 220 },
} as const;

/** Serves the pictures, sounds and clips that accounts and items point to. An item has those alone that its body names. */
export function createMedia(store: SellerStore): Hono<SandboxEnvironment> {
  const media = new Hono<SandboxEnvironment>();

  media.get('/media/:account/:file{(avatar|cover)\\.svg}', (c) => {
    const account = v.safeParse(accountId, c.req.param('account'));
    if (!account.success) return c.notFound();
    const { username } = store.account(account.output);
    const size = c.req.param('file') === 'avatar.svg' ? sizes.avatar : sizes.cover;
    return c.body(drawPicture({ ...size, seed: username, caption: username }), 200, svg);
  });

  media.get('/media/:account/:item{\\d{1,15}}/:file', async (c) => {
    const account = v.safeParse(accountId, c.req.param('account'));
    const item = account.success
      ? store.item(account.output, Number(c.req.param('item')))
      : undefined;
    if (item === undefined) return c.notFound();
    const file = c.req.param('file');
    if (file === 'preview.wav' && item.kind === 'audio') {
      return c.body(synthesize(180 + (item.id % 7) * 20), 200, { 'content-type': 'audio/wav' });
    }
    if (file === 'preview.webm' && item.kind === 'video') {
      const bytes = new Uint8Array(await readFile(clip));
      return c.body(bytes, 200, { 'content-type': 'video/webm' });
    }
    const picture = pictureOf(item, file);
    return picture === undefined ? c.notFound() : c.body(picture, 200, svg);
  });
  return media;
}

const svg = { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' };

function pictureOf(item: SeedItem, file: string): string | undefined {
  const seed = `${String(item.id)} ${item.name}`;
  if (file === 'thumbnail.svg') {
    return drawPicture({ ...sizes.thumbnail, seed, caption: item.name });
  }
  if (file === 'preview.svg' && item.kind !== 'audio') {
    return drawPicture({ ...sizes.preview, seed, caption: item.name });
  }
  const number = Number(/^screenshot-([1-9])\.svg$/.exec(file)?.[1] ?? 0);
  if (number < 1 || number > (item.screenshots ?? 0)) return undefined;
  const caption = `${item.name}: ${String(number)}`;
  return drawPicture({ ...sizes.screenshot, seed: `${seed} ${String(number)}`, caption });
}
