import { type ReadLink, readLinkedFile } from '#adapters/browser/read-linked-file';
import { fail, type Result, succeed } from '#core/result';
import { decodeBase64 } from '#core/text/base64';
import {
  fileNameOf,
  type LinkedFile,
  type LinkedFileFault,
  maxLinkedFileBytes,
} from '#core/ticket/linked-file';

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
  /** Fetches a link of a document's own origin from within that document, up to the limit of a file. */
  fetch(address: string, document: LinkDocument): Promise<Result<LinkedFile, LinkedFileFault>>;
}

const timeoutMs = 20_000;

export function createLinkedFiles(apis: { readonly scripting: ScriptingApi }): LinkedFiles {
  return {
    async fetch(address, { tabId, frameId, origin }) {
      // Rejects where the document is gone or no longer permitted.
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
        name: fileNameOf(read.disposition, address),
        bytes: decodeBase64(read.base64),
      });
    },
  };
}
