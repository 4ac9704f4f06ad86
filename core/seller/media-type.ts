/** What stands in a file of each form, as Latin-1 text, and from which byte on. The first that fits counts. */
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

/** Bytes of the beginning that are looked at. */
const headLength = 512;

/**
 * Recognises a picture, sound or video by its content; what a server calls it counts for nothing. Returns undefined for
 * anything else.
 */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, headLength));
  const found = signatures.find(([at, mark]) => head.startsWith(mark, at));
  return found?.[2] ?? (svg.test(head) ? 'image/svg+xml' : undefined);
}
