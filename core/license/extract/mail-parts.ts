import { decodeStrictBase64 } from '#core/license/encoding/base64url';
import type { Bytes } from '#core/license/encoding/bytes';
import { cutMark } from '#core/license/extract/mend-text';

const headerPattern = /^content-transfer-encoding:[ \t]*base64[ \t]*$/i;
const bodyPattern = /^[A-Za-z0-9+/]+={0,2}[ \t]*$/;

/** Holds a mail's source, taken apart. */
export interface MailParts {
  /** What is left of it. */
  readonly text: string;
  /** What stood in base64: attached files, and texts with letters beyond ASCII. A damaged part is left out. */
  readonly parts: readonly Bytes[];
}

/** Decodes the parts of a mail's source that are written in base64 (RFC 2045 section 6.8). Any other text comes back as it is. */
export function takeMailParts(source: string): MailParts {
  const rest: string[] = [];
  const bodies: string[][] = [];
  let body: string[] | undefined;
  let isHead = false;
  let before = '';
  for (const line of source.split(/\r?\n/)) {
    if (headerPattern.test(line)) isHead = true;
    else if (isHead && line.trim() === '') {
      isHead = false;
      bodies.push((body = []));
      rest.push(cutMark);
    } else if (bodyPattern.test(line)) body?.push(line.trim());
    else if (line.trim() !== '') {
      // A part ends with its boundary or a blank line: this is text, decoded already, below a header that was copied with it.
      if (body !== undefined && before !== '' && !line.startsWith('--'))
        rest.push(...(bodies.pop() ?? []));
      body = undefined;
    }
    if (body === undefined) rest.push(line);
    before = line.trim();
  }
  return bodies.length === 0
    ? { text: source, parts: [] }
    : {
        text: rest.join('\n'),
        parts: bodies.flatMap((lines) => decodeStrictBase64(lines.join('')) ?? []),
      };
}
