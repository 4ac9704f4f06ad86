import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { succeed } from '#core/result';
import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const desk = 'http://localhost:8081';
const link = { address: `${desk}/files/1/state.json`, tabId: 3, pageUrl: `${desk}/tickets/1` };

let worker: WorkerHarness;
beforeEach(async () => {
  worker = await createWorkerHarness();
  await worker.ask('sites.allow', { origin: desk });
  worker.ticket.linked = succeed({ name: 'state.json', bytes: new TextEncoder().encode('{}') });
});
afterEach(() => worker.close());

/** What the verifier was opened on: each file with its content, or why it is not there. */
async function opened(): Promise<unknown[]> {
  return Promise.all(
    worker.ticket.inVerifier.map(async ({ files = [], notFetched }) => [
      notFetched,
      ...(await Promise.all(files.map(async ({ name, file }) => [name, await file.text()]))),
    ]),
  );
}
const elsewhere = { name: 'state.json', kind: 'elsewhere' };

describe('a link of an allowed site', () => {
  it('is fetched in the page that it is in, and its file opens in the verifier', async () => {
    await worker.inspectLink(link);
    expect(worker.ticket.fetched).toEqual([
      { address: link.address, document: { tabId: 3, frameId: 0, origin: desk } },
    ]);
    expect(await opened()).toEqual([[undefined, ['state.json', '{}']]]);
  });

  it('is fetched in its frame where the page around it is another site', async () => {
    const frame = { pageUrl: 'https://other.test/', frameId: 5, frameUrl: `${desk}/mail/1` };
    await worker.inspectLink({ ...link, ...frame });
    expect(worker.ticket.fetched).toMatchObject([{ document: { frameId: 5 } }]);
  });

  it('is fetched without a request to a seller API, and so without a key', async () => {
    await worker.connect('/demo');
    await worker.requests();
    await worker.inspectLink(link);
    expect(await worker.requests()).toEqual([]);
  });

  it('is offered in the menu while the site is allowed', async () => {
    expect(worker.ticket.offersLinksOn).toEqual(['http://localhost/*']);
    await worker.restart();
    expect(worker.ticket.offersLinksOn).toEqual(['http://localhost/*']);
    await worker.ask('sites.remove', { origin: desk });
    expect(worker.ticket.offersLinksOn).toEqual([]);
  });

  it.each(['elsewhere', 'too-large', 'failed'] as const)(
    'says in the verifier why there is no file: %s',
    async (fault) => {
      worker.ticket.linked = { ok: false, fault };
      await worker.inspectLink(link);
      expect(await opened()).toEqual([[{ name: 'state.json', kind: fault }]]);
    },
  );
});

describe('nothing is fetched', () => {
  it.each([
    ['of another port, which patterns do not tell apart', 'http://localhost:9999/state.json'],
    ['of another host', 'http://127.0.0.1:8081/state.json'],
    ['of another scheme', 'https://localhost:8081/state.json'],
    ['with a script', 'javascript:alert(1)//state.json'],
    ['within the page', 'blob:http://localhost:8081/state.json'],
  ])('from a link %s', async (_, address) => {
    await worker.inspectLink({ ...link, address });
    expect(worker.ticket.fetched).toEqual([]);
    expect(await opened()).toMatchObject([[{ kind: 'elsewhere' }]]);
  });

  it('from a page that is not of the link’s site', async () => {
    const frame = { frameId: 5, frameUrl: 'https://other.test/frame' };
    await worker.inspectLink({ ...link, ...frame, pageUrl: 'https://other.test/' });
    await worker.inspectLink({ address: link.address, tabId: 3 });
    expect(worker.ticket.fetched).toEqual([]);
    expect(await opened()).toEqual([[elsewhere], [elsewhere]]);
  });

  it('once the site is no longer allowed, by the agent or the browser', async () => {
    worker.granted.delete('http://localhost/*');
    await worker.inspectLink(link);
    worker.granted.add('http://localhost/*');
    await worker.ask('sites.remove', { origin: desk });
    await worker.inspectLink(link);
    expect(worker.ticket.fetched).toEqual([]);
    expect(await opened()).toEqual([[elsewhere], [elsewhere]]);
  });
});
