import { readFile } from 'node:fs/promises';

import { Hono } from 'hono';

import type { SandboxEnvironment } from '#sandbox/seller/request-log';
import { accounts } from '#sandbox/seed/accounts';
import type { SeedItem } from '#sandbox/seed/shape';
import type { SellerStore } from '#sandbox/seller/seller-store';

/** The content of a picture: two hues derived from a seed, a mark, and a caption. */
interface PictureOrder {
  readonly width: number;
  readonly height: number;
  /** Any text: the same text gives the same picture. */
  readonly seed: string;
  readonly caption: string;
}

/** Draws an SVG picture from its seed, for things that have no photograph. */
function drawPicture({ width, height, seed, caption }: PictureOrder): string {
  const number = hash(seed);
  const hue = number % 360;
  const turn = (number >>> 9) % 90;
  const size = Math.min(width, height);
  const bars = Array.from({ length: 5 }, (_, index) => {
    const share = ((number >>> (index * 5)) % 32) / 32;
    const barWidth = size * (0.2 + share * 0.5);
    return `<rect x="${fixed(width / 2 - barWidth / 2)}" y="${fixed(height / 2 + (index - 2.5) * size * 0.11)}" width="${fixed(barWidth)}" height="${fixed(size * 0.06)}" rx="${fixed(size * 0.03)}" fill="hsl(${String((hue + 40) % 360)} 80% 92%)" opacity="${fixed(0.55 + share * 0.4)}"/>`;
  }).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${escapeXml(caption)}"><defs><linearGradient id="g" gradientTransform="rotate(${String(turn)})"><stop stop-color="hsl(${String(hue)} 55% 38%)"/><stop offset="1" stop-color="hsl(${String((hue + 60) % 360)} 60% 26%)"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>${bars}${height >= 160 ? `<text x="${fixed(width / 2)}" y="${fixed(height * 0.93)}" text-anchor="middle" font-family="system-ui,sans-serif" font-size="${fixed(size * 0.05)}" fill="#fff">${escapeXml(clipped(caption))}</text>` : ''}</svg>`;
}

function clipped(caption: string): string {
  const graphemes = Array.from(new Intl.Segmenter().segment(caption), ({ segment }) => segment);
  return graphemes.length > 60 ? `${graphemes.slice(0, 59).join('')}…` : caption;
}

function fixed(number: number): string {
  return number.toFixed(1);
}

/** Hashes a text with FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${String(letter.codePointAt(0))};`);
}

/** The preview files of an item of this kind. */
const recordings = {
  'preview.wav': { kind: 'audio', type: 'audio/wav' },
  'preview.webm': { kind: 'video', type: 'video/webm' },
} as const;

/** Sizes in pixels. */
const sizes = {
  thumbnail: { width: 80, height: 80 },
  preview: { width: 590, height: 300 },
  screenshot: { width: 960, height: 600 },
  avatar: { width: 160, height: 160 },
  cover: { width: 1180, height: 220 },
} as const;

/**
 * Serves the pictures, sounds and clips that accounts and items link to. An item has only those that its body names.
 */
export function createMedia(store: SellerStore): Hono<SandboxEnvironment> {
  const media = new Hono<SandboxEnvironment>();

  media.get('/media/:account/:file{(avatar|cover)\\.svg}', (c) => {
    const account = accounts.find(({ id }) => id === c.req.param('account'));
    if (account === undefined) return c.notFound();
    const { username } = account;
    const size = c.req.param('file') === 'avatar.svg' ? sizes.avatar : sizes.cover;
    return c.body(drawPicture({ ...size, seed: username, caption: username }), 200, svg);
  });

  media.get('/media/:account/:item{\\d{1,15}}/:file', async (c) => {
    const item = store.item(c.req.param('account'), Number(c.req.param('item')));
    if (item === undefined) return c.notFound();
    const file = c.req.param('file');
    const recording = Object.entries(recordings).find(([name]) => name === file)?.[1];
    if (recording?.kind === item.kind) {
      const bytes = await readFile(new URL(file, import.meta.url));
      return c.body(new Uint8Array(bytes), 200, { 'content-type': recording.type });
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
