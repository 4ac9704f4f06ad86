import type { Page } from '@playwright/test';

import { bareId, type BenchSetup } from '#bench/setup';
import { alternate, type Measurement } from '#bench/measurement';
import { openPage } from '#scripts/running/extension';
import { pinKey } from '#tests/support/pages/verifier-page';

const pairs = 10_000;

/**
 * Measures ten thousand files from the drop to the complete table: reading, finding, verifying, judging, drawing. The
 * bare verdict is `JSON.parse`, base64url, both payloads, two `crypto.subtle.verify`, and one row posted.
 */
export const batchAgainstBare: Measurement = {
  name: 'verifier, 10,000 pairs',
  limit: 'the bare verdict in as many workers, the best of 1 to 64 in flight',
  goal: { ratio: 1.4, spread: 1.5 },
  measure: async (setup) => {
    const bare = await openBareVerify(setup, pairs);
    console.error(`  bare: ${String(bare.depth)} in flight`);
    const page = await openVerifier(setup, pairs);
    const samples = await alternate(bare.verify, () => page.evaluate(dropAll, false), {
      rounds: 3,
      warmUp: 1,
    });
    await page.close();
    await bare.close();
    return samples;
  },
};

/** Measures one file on a page that has been used before, from the drop to its headline. */
export const oneFile: Measurement = {
  name: 'verifier, one file, warm',
  limit: 'one bare verify of each of its two signatures',
  // One frame at 60 a second.
  goal: { ratio: 1, slackMs: 16.7 },
  measure: async (setup) => {
    const page = await openVerifier(setup, 40);
    let number = 0;
    const samples = await alternate(
      () => page.evaluate(verifyBare, 2),
      () => page.evaluate(dropOne, (number += 1)),
      { rounds: 25, warmUp: 5 },
    );
    await page.close();
    return samples;
  },
};

/** Measures the bare verdict in workers: the least that telling so many pairs genuine costs on this machine. */
interface BareVerify {
  /** How many pairs each worker has in flight: the fastest of 1 to 64, tried once before. */
  readonly depth: number;
  /** Judges every pair once. Returns milliseconds. */
  readonly verify: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const depths = [1, 2, 4, 8, 16, 32, 64];

/** It is searched once, however many runs there are. */
let bestDepth: number | undefined;

async function findBestDepth(verifyIn: (depth: number) => Promise<number>): Promise<number> {
  let best = { depth: 1, taken: Infinity };
  // Twice, so that one slow moment of the machine does not choose the depth.
  for (const depth of [...depths, ...depths]) {
    const taken = await verifyIn(depth);
    if (taken < best.taken) best = { depth, taken };
  }
  return best.depth;
}

/**
 * Opens a page without our program that gives `pairs` license and certificate pairs the bare verdict, in as many
 * workers as the verifier has. The texts lie in the workers before the time starts.
 */
async function openBareVerify({ extension }: BenchSetup, pairs: number): Promise<BareVerify> {
  const page = await extension.context.newPage();
  await page.goto(`chrome-extension://${bareId}/popup.html`);
  await page.evaluate(signPairs, pairs);
  await page.evaluate(async () => {
    const { publicKey, list } = window.signed;
    const texts = (await list.text()).trim().split('\n');
    const count = Math.min(navigator.hardwareConcurrency || 2, 4);
    const workers = Array.from({ length: count }, () => new Worker('verify-worker.js'));
    const send = async (worker: Worker, data: unknown): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      worker.onmessage = ({ data: said }) => {
        if (said === 'done') resolve(said);
      };
      worker.postMessage(data);
      await promise;
    };
    await Promise.all(
      workers.map((worker, at) =>
        send(worker, {
          publicKey,
          texts: texts.filter((_, index) => index % count === at),
        }),
      ),
    );
    window.verifyBareIn = async (depth) => {
      const begun = performance.now();
      await Promise.all(workers.map((worker) => send(worker, { depth })));
      return performance.now() - begun;
    };
  });
  const verifyIn = (depth: number): Promise<number> =>
    page.evaluate((each) => window.verifyBareIn(each), depth);
  const depth = (bestDepth ??= await findBestDepth(verifyIn));
  return { depth, verify: () => verifyIn(depth), close: () => page.close() };
}

declare global {
  interface Window {
    signed: Signed;
    verifyBareIn: (depth: number) => Promise<number>;
  }
}

/** Holds documents signed in the page itself, so that ten thousand files need not be sent to it. */
interface Signed {
  readonly publicKey: CryptoKey;
  readonly files: readonly File[];
  readonly list: File;
  readonly licenses: readonly string[];
  readonly messages: readonly {
    readonly message: BufferSource;
    readonly signature: BufferSource;
  }[];
}

/**
 * Opens the verifier's page with `count` distinct pairs of license and certificate in `globalThis.signed`, signed by a
 * key that is pinned there.
 */
export async function openVerifier(
  { extension }: Pick<BenchSetup, 'extension'>,
  count: number,
): Promise<Page> {
  const page = await openPage(extension, 'verifier.html');
  const publicKey = await page.evaluate(signPairs, count);
  await page.reload();
  await pinKey(page, publicKey);
  // The reload has dropped the documents; they are signed again with the stored key.
  await page.evaluate(signPairs, count);
  return page;
}

/**
 * Runs in the page: signs the documents. The key is made once and stored there. Returns the public key in hexadecimal.
 */
async function signPairs(count: number): Promise<string> {
  const name = 'bench-key';
  const open = (): Promise<IDBDatabase> =>
    new Promise((done, failed) => {
      const request = indexedDB.open(name);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(name);
      };
      request.onsuccess = () => {
        done(request.result);
      };
      request.onerror = () => {
        failed(request.error ?? new Error('The database does not open.'));
      };
    });
  const database = await open();
  const found = await new Promise<CryptoKeyPair | undefined>((done) => {
    const request = database.transaction(name).objectStore(name).get(name);
    request.onsuccess = () => {
      done(request.result as CryptoKeyPair | undefined);
    };
  });
  const pair = found ?? (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']));
  if (found === undefined) {
    const transaction = database.transaction(name, 'readwrite');
    transaction.objectStore(name).put(pair, name);
    // Otherwise the next page may make a second key, and each document would be verified under both.
    await new Promise((done) => {
      transaction.oncomplete = done;
    });
  }
  database.close();

  // Code that runs in the page can import nothing.
  const dayMs = 86_400_000;
  const encoder = new TextEncoder();
  const at = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
  const base64Url = (bytes: Uint8Array): string =>
    btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '');
  const messages: { message: Uint8Array<ArrayBuffer>; signature: ArrayBuffer }[] = [];
  const sign = async (claims: object): Promise<string> => {
    const message = encoder.encode(JSON.stringify(claims));
    const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, message);
    messages.push({ message, signature });
    return `${base64Url(message)}.${base64Url(new Uint8Array(signature))}`;
  };
  const files: File[] = [];
  const licenses: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const shared = { license_id: `LIC-${String(number)}`, product_slug: 'orbit-crm' };
    const installationId = `6f1b3c0e-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const domain = `shop-${String(number)}.example.com`;
    const license = await sign({ ...shared, license_type: 'Regular', issued_at: at(-90) });
    licenses.push(license);
    const certificate = await sign({
      ...shared,
      domain,
      installation_id: installationId,
      issued_at: at(-4),
      next_validation_at: at(3),
      grace_until: at(14),
    });
    const state = {
      license,
      domain,
      product_slug: 'orbit-crm',
      installation_id: installationId,
      activation_certificate: certificate,
    };
    files.push(new File([JSON.stringify(state), '\n'], `installation-${String(number)}.json`));
  }
  const list = new File(files, 'list.jsonl');
  Object.assign(globalThis, {
    signed: { publicKey: pair.publicKey, files, list, licenses, messages },
  });
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Runs in the page: verifies up to `max` signatures with `crypto.subtle.verify`, 64 in flight. Returns milliseconds.
 */
async function verifyBare(max: number): Promise<number> {
  const { publicKey, messages } = window.signed;
  let next = 0;
  const begun = performance.now();
  const worker = async (): Promise<void> => {
    for (let at = next++; at < Math.min(max, messages.length); at = next++) {
      const one = messages[at];
      if (one === undefined) return;
      if (!(await crypto.subtle.verify('Ed25519', publicKey, one.signature, one.message)))
        throw new Error('A signature of the benchmark itself is invalid.');
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  return performance.now() - begun;
}

/**
 * Runs in the page: drops all documents at once and waits for the complete table. Returns milliseconds.
 * @param asFiles drops each in a file of its own; else one file with one on each line, which saves opening files
 */
export async function dropAll(asFiles: boolean): Promise<number> {
  const { files, list } = window.signed;
  const dataTransfer = new DataTransfer();
  for (const file of asFiles ? files : [list]) dataTransfer.items.add(file);
  const isBusy = (): boolean =>
    document.querySelector('.batch')?.getAttribute('aria-busy') === 'true';
  const begun = performance.now();
  document
    .querySelector('main')
    ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  const tick = (): Promise<void> => new Promise((done) => setTimeout(done, 5));
  while (!isBusy()) await tick();
  while (isBusy()) await tick();
  return performance.now() - begun;
}

/** Runs in the page: drops one file and waits for its headline. Returns milliseconds. */
export async function dropOne(number: number): Promise<number> {
  const { files } = window.signed;
  const file = files[number];
  if (file === undefined) throw new Error('There are not that many files.');
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(file);
  const begun = performance.now();
  const drawn = new Promise<number>((done) => {
    const observer = new MutationObserver(() => {
      const shown = document.querySelector('[data-standing]')?.getAttribute('aria-label');
      if (shown !== file.name) return;
      observer.disconnect();
      done(performance.now());
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  document
    .querySelector('main')
    ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  return (await drawn) - begun;
}
