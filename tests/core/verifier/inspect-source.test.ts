import { describe, expect, it } from 'vitest';

import { fileLimitBytes } from '#core/reading/index';
import { chooseEngine } from '#core/keys/ed25519';
import type {
  DocumentReport,
  DocumentSummary,
  InspectionContext,
  ReadableFile,
} from '#core/verifier/verifier-request';
import { inspectSource, summariseReport } from '#core/verifier/verifier';
import {
  CERTIFICATE_CLAIMS,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const context: InspectionContext = {
  now: NOW,
  keys: [pinned(signer)],
  expected: {},
  unreached: false,
};
const engine = await chooseEngine();

/** A file that says how large it is, and remembers whether it was read. */
function fileOf(text: string, size = text.length): ReadableFile & { wasRead: boolean } {
  return {
    size,
    wasRead: false,
    arrayBuffer() {
      this.wasRead = true;
      return Promise.resolve(new TextEncoder().encode(text).buffer);
    },
  };
}

it('a file above the cap is not read', async () => {
  const large = fileOf('', fileLimitBytes + 1);
  const { inspection } = await inspectSource({ parts: [large] }, context, engine);
  expect(inspection.sourceFault).toEqual({ kind: 'too-large', limitBytes: fileLimitBytes });
  expect(large.wasRead).toBe(false);
});

it('no part is read when a later one is above the cap', async () => {
  const first = fileOf(token(signer, LICENSE_CLAIMS));
  const parts = [first, fileOf('', fileLimitBytes + 1)];
  const { inspection } = await inspectSource({ parts }, context, engine);
  expect(inspection.sourceFault?.kind).toBe('too-large');
  expect(first.wasRead).toBe(false);
});

it('a file at the cap is read', async () => {
  const full = fileOf(token(signer, LICENSE_CLAIMS).padEnd(fileLimitBytes));
  const { inspection } = await inspectSource({ parts: [full] }, context, engine);
  expect(inspection.standing).toBe('not-activated');
});

it('a license and its certificate in files of their own are judged as one', async () => {
  const parts = [LICENSE_CLAIMS, CERTIFICATE_CLAIMS].map((claims) => fileOf(token(signer, claims)));
  const { inspection } = await inspectSource({ parts }, context, engine);
  expect(inspection).toMatchObject({
    standing: 'activated',
    license: { genuine: true },
    certificate: { genuine: true },
  });
});

describe('a purchase code', () => {
  const code = '31ccb384-5d0a-4bd8-a6f2-2d4c3b0a9e11';
  const codeIn = async (...texts: string[]): Promise<string | undefined> => {
    const source = { parts: texts.map((text) => fileOf(text)) };
    return (await inspectSource(source, context, engine)).purchaseCode;
  };

  it('is named where there is no document, in a text and in any of several files', async () => {
    const { purchaseCode } = await inspectSource({ text: `My code: ${code}.` }, context, engine);
    expect(purchaseCode).toBe(code);
    expect(await codeIn('nothing', `(${code.toUpperCase()})`)).toBe(code.toUpperCase());
  });

  it.each([
    ['no code', 'nothing here'],
    ['an installation id', `installation_id: ${code}`],
    ['a part of a longer word', `x${code}`],
    ['a part of a longer number', `${code}-1`],
  ])('is not %s', async (_, text) => {
    expect(await codeIn(text)).toBeUndefined();
  });

  it('is not looked for beside a document', async () => {
    expect(await codeIn(`${code}\n${token(signer, LICENSE_CLAIMS)}`)).toBeUndefined();
    expect(await codeIn(code, token(signer, CERTIFICATE_CLAIMS))).toBeUndefined();
    expect(await codeIn(code, 'a'.repeat(10))).toBe(code);
  });
});

it('a file that has gone since is an empty one', async () => {
  const gone: ReadableFile = { size: 5, arrayBuffer: () => Promise.reject(new Error('gone')) };
  const { inspection } = await inspectSource({ parts: [gone] }, context, engine);
  expect(inspection.sourceFault).toEqual({ kind: 'empty' });
});

describe('the summary of a report', () => {
  const summaryOf = async (text: string): Promise<DocumentSummary> =>
    summariseReport(await inspectSource({ text }, context, engine));
  const bundle = (license: string, certificate: string): string =>
    JSON.stringify({ license, activation_certificate: certificate });

  it('names domain, product and license of genuine documents', async () => {
    const certificate = token(signer, CERTIFICATE_CLAIMS);
    const summary = await summaryOf(bundle(token(signer, LICENSE_CLAIMS), certificate));
    expect(summary).toMatchObject({
      standing: 'activated',
      domain: 'shop.example.com',
      product: 'harbour-theme',
      licenseId: 'L-1001',
      failed: [],
    });
    expect(summary).not.toHaveProperty('others');
  });

  it('prefers the certificate’s domain, and the license’s product and id', async () => {
    const license = { ...LICENSE_CLAIMS, domain: 'own.example.com', license_id: 'L-2' };
    const other = { ...CERTIFICATE_CLAIMS, product_slug: 'other' };
    expect(await summaryOf(bundle(token(signer, license), token(signer, other)))).toMatchObject({
      domain: 'shop.example.com',
      product: 'harbour-theme',
      licenseId: 'L-2',
    });
    expect(await summaryOf(token(signer, license))).toMatchObject({ domain: 'own.example.com' });
    expect(await summaryOf(token(signer, CERTIFICATE_CLAIMS))).toMatchObject({
      product: 'harbour-theme',
      licenseId: 'L-1001',
    });
  });

  it('takes nothing from a document that is not genuine', async () => {
    const foreign = makeSigner(2);
    const summary = await summaryOf(
      bundle(token(foreign, LICENSE_CLAIMS), token(foreign, CERTIFICATE_CLAIMS)),
    );
    expect(summary.standing).toBe('unverified');
    for (const name of ['domain', 'product', 'licenseId']) expect(summary).not.toHaveProperty(name);
    expect(summary.failed.length).toBeGreaterThan(0);
  });

  it('lists failed and warned checks by their ids, and counts further licenses', async () => {
    const text = bundle(token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS));
    const report = await inspectSource({ text }, context, engine);
    const checks = [
      { id: 'signature', outcome: 'pass' },
      { id: 'domain', outcome: 'fail' },
      { id: 'product', outcome: 'warn' },
      { id: 'clock', outcome: 'skip' },
    ] as unknown as DocumentReport['inspection']['checks'];
    const others = [
      report.inspection,
      report.inspection,
    ] as unknown as DocumentReport['inspection']['others'];
    expect(summariseReport({ inspection: { ...report.inspection, checks, others } })).toMatchObject(
      { failed: ['domain'], warned: ['product'], others: 2 },
    );
  });
});
