import { expect, test } from 'vitest';

import { mediaTypeOf } from '#core/seller/media-type';

const bytes = (latin1: string): Uint8Array => Uint8Array.from(latin1, (c) => c.charCodeAt(0));

test.each([
  ['\x89PNG\r\n\x1A\n....', 'image/png'],
  ['\xFF\xD8\xFF\xE0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x01\x02\x03\nWEBPVP8 ', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'image/avif'],
  ['\0\0\0\x20ftypavis', 'image/avif'],
  ['RIFF....WAVEfmt ', 'audio/wav'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xFF\xFB\x90', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
  ['\0\0\0\x20ftypisom', 'video/mp4'],
  ['\x1A\x45\xDF\xA3', 'video/webm'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'image/svg+xml'],
  ['\xEF\xBB\xBF <?xml version="1.0"?>\n<!-- made by hand -->\n<svg>', 'image/svg+xml'],
])('%j is %s by its content', (content, type) => {
  expect(mediaTypeOf(bytes(content))).toBe(type);
});

test.each([
  '',
  'GIF',
  '<!doctype html><svg>',
  '<html><svg>',
  'text <svg>',
  '{"svg":"<svg>"}',
  '<svgx>',
  '%PDF-1.7',
  '<script>',
  'RIFF....AVI ',
  `${' '.repeat(600)}<svg>`,
])('%j is no picture, sound or video', (content) => {
  expect(mediaTypeOf(bytes(content))).toBeUndefined();
});
