import { fail, type Result, succeed } from '#core/result';
import { decodeBase64 } from '#core/encoding/index';
import {
  type LinkedFile,
  type LinkedFileFault,
  linkedFileName,
  maxLinkedFileBytes,
} from '#core/verifier/index';

/** The part of the browser's `scripting` that is used here. */
interface ScriptingApi {
  executeScript(injection: {
    target: { tabId: number; frameIds: number[] };
    func: typeof readLinkedFile;
    args: Parameters<typeof readLinkedFile>;
  }): Promise<readonly { readonly result?: unknown }[]>;
}

/** Identifies a document, with the origin that it had when a link in it was clicked. */
export interface LinkDocument {
  readonly tabId: number;
  readonly frameId: number;
  readonly origin: string;
}

export interface LinkedFiles {
  /** Fetches a same-origin link from within its document, up to the limit of a file. */
  fetch(address: string, document: LinkDocument): Promise<Result<LinkedFile, LinkedFileFault>>;
}

const timeoutMs = 20_000;

export function createLinkedFiles(apis: { readonly scripting: ScriptingApi }): LinkedFiles {
  return {
    async fetch(address, { tabId, frameId, origin }) {
      // This rejects if the document is gone or no longer permitted.
      const results = await apis.scripting
        .executeScript({
          target: { tabId, frameIds: [frameId] },
          func: readLinkedFile,
          args: [address, origin, maxLinkedFileBytes, timeoutMs],
        })
        .catch(() => []);
      const read = results[0]?.result as ReadLink | null | undefined;
      if (read === undefined || read === null) return fail('failed');
      if ('fault' in read) return fail(read.fault);
      return succeed({
        name: linkedFileName(read.disposition, address),
        bytes: decodeBase64(read.base64),
      });
    },
  };
}

/** The result of `readLinkedFile`, in JSON because the browser transfers it from the page to the worker. */
type ReadLink =
  | { readonly disposition: string | null; readonly base64: string }
  | { readonly fault: 'elsewhere' | 'too-large' | 'failed' };

/**
 * Fetches a file as a document of its origin, with that site's cookies. The browser refuses a redirect to another
 * origin before anything is sent there; Firefox does so unless the extension has permission for that origin.
 *
 * The browser injects only this function's source into a page, so it must not use anything outside itself.
 * @param origin the origin that the document must have, since it may have changed after the click
 * @param timeoutMs for the whole fetch, up to the last byte
 */
async function readLinkedFile(
  address: string,
  origin: string,
  maxBytes: number,
  timeoutMs: number,
): Promise<ReadLink> {
  if (location.origin !== origin) return { fault: 'failed' };
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = (redirect: RequestRedirect): Promise<Response> =>
    fetch(address, {
      mode: 'same-origin',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect,
      signal,
    });

  const isElsewhere = ({ url }: Response): boolean => new URL(url).origin !== origin;

  /** Reads the body; undefined as soon as it exceeds the limit. */
  async function bytesOf({ body }: Response): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const reader = body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) {
        void reader?.cancel().catch(() => undefined);
        return undefined;
      }
      chunks.push(value);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
    return bytes;
  }

  let isRedirected = false;
  try {
    const direct = await ask('manual');
    isRedirected = direct.type === 'opaqueredirect';
    const response = isRedirected ? await ask('follow') : direct;
    // From here on, a failure is the server's fault.
    isRedirected = false;
    // Firefox follows a redirect to any permitted origin.
    if (isElsewhere(response)) return { fault: 'elsewhere' };
    if (!response.ok) return { fault: 'failed' };
    const bytes = await bytesOf(response);
    if (bytes === undefined) return { fault: 'too-large' };
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return { disposition: response.headers.get('content-disposition'), base64: btoa(letters) };
  } catch {
    return { fault: isRedirected && !signal.aborted ? 'elsewhere' : 'failed' };
  }
}
