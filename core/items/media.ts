import { isLocalHost, isSafeOrigin, safeUrl } from '#core/address/index';

/** The part of the program that may fetch a picture, video or sound named in a seller's reply. */
export type MediaFetcher =
  /** The page, from a public host or the connection's own https origin. */
  | 'page'
  /** The worker, from the connection's own origin on loopback. */
  | 'worker'
  | 'nobody';

/**
 * Decides which part of the program may fetch a medium that a seller's reply links to. The reply may name any address,
 * so one on this machine or the local network is allowed only on the connection's own origin: otherwise it could make
 * the agent's browser call a router or a local program.
 * @param baseAddress the address of the connection that replied
 */
export function mediaFetcher(address: string, baseAddress: string): MediaFetcher {
  const safe = safeUrl(address);
  if (safe === undefined) return 'nobody';
  const url = new URL(safe);
  const isOwn = url.origin === new URL(baseAddress).origin;
  if (!isOwn && isLocalHost(url.hostname)) return 'nobody';
  if (url.protocol === 'https:') return 'page';
  return isSafeOrigin(url) ? 'worker' : 'nobody';
}

/** The signature of each file format as Latin-1 text, and the byte at which it starts. The first match counts. */
const signatures: readonly (readonly [at: number, mark: string, type: string])[] = [
  [0, '\x89PNG\r\n', 'image/png'],
  [0, '\xFF\xD8\xFF', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypavis', 'image/avif'],
  [8, 'WAVE', 'audio/wav'],
  [0, 'ID3', 'audio/mpeg'],
  [0, '\xFF\xFB', 'audio/mpeg'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [4, 'ftypM4A ', 'audio/mp4'],
  [4, 'ftyp', 'video/mp4'],
  [0, '\x1A\x45\xDF\xA3', 'video/webm'],
];

/** `<img>` runs no script of an SVG and fetches nothing for it. */
const svg = /^(?:\xEF\xBB\xBF)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<svg[\s>]/u;

/** How many bytes at the start are examined. */
const headLength = 512;

/**
 * Recognises a picture, sound or video by its content, ignoring the server's `Content-Type`. Returns undefined for
 * anything else.
 */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, headLength));
  const found = signatures.find(([at, mark]) => head.startsWith(mark, at));
  return found?.[2] ?? (svg.test(head) ? 'image/svg+xml' : undefined);
}
