import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createWorkerHarness, type WorkerHarness } from '#tests/background/worker-harness';

const desk = 'http://localhost:8081';
const ticket = { tabId: 3, address: `${desk}/tickets/1`, subject: 'Invoices' };

let worker: WorkerHarness;
beforeEach(async () => {
  worker = await createWorkerHarness();
  await worker.ask('sites.allow', { origin: desk });
});
afterEach(() => worker.close());

const insert = (): Promise<unknown> => worker.ask('ticket.insert', { text: 'Hello', ticket });

describe('a reply', () => {
  it('is put into the ticket that it was made for, while that is in front', async () => {
    worker.ticket.inFront.set(3, `${ticket.address}#note-2`);
    expect(await insert()).toBe('inserted');
    expect(worker.ticket.inserted).toEqual([['Hello', ticket.address]]);
  });

  it.each([
    ['its tab shows another ticket', `${desk}/tickets/2`],
    ['its tab is behind or gone', undefined],
  ])('is put nowhere once %s', async (_why, inFront) => {
    if (inFront !== undefined) worker.ticket.inFront.set(3, inFront);
    expect(await insert()).toBe('other-ticket');
    expect(worker.ticket.inserted).toEqual([]);
  });

  it('is put nowhere on a site that is not allowed any more', async () => {
    worker.ticket.inFront.set(3, ticket.address);
    await worker.ask('sites.remove', { origin: desk });
    expect(await insert()).toBe('no-field');
    expect(worker.ticket.inserted).toEqual([]);
  });
});

it('files of a ticket open in the verifier, and none of another origin is fetched', async () => {
  worker.ticket.inFront.set(3, ticket.address);
  const files = [`${desk}/files/a.json`, 'https://elsewhere.test/b.json'];
  await worker.ask('ticket.inspect', { tabId: 3, files });
  expect(worker.ticket.fetched.map(({ address }) => address)).toEqual([files[0]]);
  expect(worker.ticket.inVerifier).toHaveLength(1);
});
