/** Says what a picture shows: two hues that follow from a seed, a mark, and a caption. */
export interface PictureOrder {
  readonly width: number;
  readonly height: number;
  /** Any text: the same text gives the same picture. */
  readonly seed: string;
  readonly caption: string;
}

/** Draws an SVG picture from its seed, for things that have no photograph. */
export function drawPicture({ width, height, seed, caption }: PictureOrder): string {
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
