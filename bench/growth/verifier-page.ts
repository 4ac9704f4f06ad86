import type { Page } from '@playwright/test';

import type { BenchSetup } from '#bench/setup';
import { dropAll, openVerifier } from '#bench/verifier-setup';
import { withHeap } from '#bench/growth/heap';
import type { Cost } from '#bench/growth/growth';

/** How many documents are signed; longer lists repeat them, which saves nothing: no document is remembered. */
const distinct = 1000;

/** Measures a list with a license token on each line, from the drop to the complete table. */
export async function measureTokenList(
  setup: BenchSetup,
  size: { readonly documents: number } | { readonly bytes: number },
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<Cost> {
  const page = await openVerifier(setup, distinct);
  await prepare(page);
  await page.evaluate(makeTokenList, size);
  const cost = await withHeap(page, () => page.evaluate(dropAll, false));
  await page.close();
  return cost;
}

/** Runs in the page: puts the list that `dropAll` drops together, out of signed licenses. */
function makeTokenList(size: { readonly documents: number } | { readonly bytes: number }): void {
  const base64Url = (source: BufferSource): string => {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : (source as Uint8Array);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
  };
  const lines = window.signed.messages
    // Each license is followed by its certificate, which is left out.
    .filter((_, at) => at % 2 === 0)
    .map(({ message, signature }) => `${base64Url(message)}.${base64Url(signature)}\n`);
  const wanted = 'documents' in size ? size.documents : Infinity;
  const most = 'bytes' in size ? size.bytes : Infinity;
  const whole = new Blob(lines);
  const times = Math.floor(Math.min(wanted / lines.length, most / whole.size));
  const parts: BlobPart[] = Array.from({ length: times }, () => whole);
  let bytes = times * whole.size;
  let documents = times * lines.length;
  for (const line of lines) {
    if (documents >= wanted || bytes + line.length > most) break;
    parts.push(line);
    bytes += line.length;
    documents += 1;
  }
  Object.assign(window.signed, { list: new File(parts, 'list.txt') });
}
