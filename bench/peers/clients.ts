import { parentPort } from 'node:worker_threads';

import { lemonSqueezySetup, validateLicense } from '@lemonsqueezy/lemonsqueezy.js';
import { Client } from 'envato';

/** The addresses of the sandbox for the clients, and the keys that they sign in with. */
export interface Places {
  readonly seller: { readonly address: string; readonly key: string };
  readonly envato: { readonly address: string; readonly key: string };
  readonly lemonSqueezy: { readonly address: string; readonly key: string };
}

export const clientNames = ['fetch in a loop', 'envato.js', 'lemonsqueezy.js'] as const;

export interface LookupRequest {
  readonly client: (typeof clientNames)[number];
  readonly codes: readonly string[];
  readonly places: Places;
}

/** Looks codes up as the client's own documents show it: one after the other. Returns a sentence for the last. */
async function lookUp({ client, codes, places }: LookupRequest): Promise<string> {
  let sentence = '';
  if (client === 'envato.js') {
    const { address, key } = places.envato;
    const envato = new Client(key);
    // It knows one address of its own, and another for which it sends no token.
    Object.assign(envato, { _getFullRequestUrl: (path: string) => `${address}${path}` });
    for (const code of codes) {
      const sale = await envato.private.getSale(code);
      sentence =
        sale === undefined ? 'Not found' : `${sale.item.name}: ${String(sale.supported_until)}`;
    }
  } else if (client === 'lemonsqueezy.js') {
    const { address, key } = places.lemonSqueezy;
    lemonSqueezySetup({ apiKey: key });
    const { fetch } = globalThis;
    globalThis.fetch = (url, options) => {
      const wanted = typeof url === 'string' ? url : url instanceof URL ? url.href : url.url;
      return fetch(wanted.replace('https://api.lemonsqueezy.com', address), options);
    };
    for (const code of codes) {
      const { data } = await validateLicense(code);
      sentence = data?.valid === true ? `${data.meta.product_name}: valid` : 'Not valid';
    }
    globalThis.fetch = fetch;
  } else {
    const { address, key } = places.seller;
    for (const code of codes) {
      const body = new URLSearchParams({ api_key: key, purchase_code: code });
      const response = await fetch(`${address}/api/purchases/validation`, { method: 'POST', body });
      const { success, data } = (await response.json()) as {
        success: boolean;
        data?: { name: string };
      };
      sentence = success ? `Supported: ${data?.name ?? ''}` : 'Not found';
    }
  }
  return sentence;
}

parentPort?.on('message', (asked: LookupRequest) => {
  const began = performance.now();
  void lookUp(asked).then((sentence) => {
    parentPort?.postMessage({ milliseconds: performance.now() - began, sentence });
  });
});
