import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Hono } from 'hono';

import { dayMs } from '#core/time/units';
import { signLicense } from '#sandbox/authority/documents';
import { type AuthorityKey, type AuthorityKeys, strayKey, toPem } from '#sandbox/authority/keys';
import type { Ledger } from '#sandbox/authority/ledger';
import { defaultConfig } from '#sandbox/authority/settings';
import { activatedSamples } from '#sandbox/samples/activated';
import { attackSamples } from '#sandbox/samples/attacks';
import {
  type SampleFile,
  sampleInstallation,
  sampleStandings,
} from '#sandbox/samples/installation';
import { armour, mail, quote, sprinkle, toPaddedBase64, wrap } from '#sandbox/samples/mangle';
import { unverifiedSamples } from '#sandbox/samples/unverified';

/**
 * Yields the sample files, signed with this key.
 * @param now epoch milliseconds; the standings hold for a day at least
 */
export function sampleFiles(key: AuthorityKey, now: number): SampleFile[] {
  const stranger = strayKey(now);
  return [
    ...notActivatedSamples(key, now),
    ...activatedSamples(key, now),
    ...laterSamples(key, now),
    ...unverifiedSamples(key, stranger, now),
    ...attackSamples(key, stranger, now),
  ];
}

/** Yields many bundles for the batch, of every standing in turn; made one at a time. */
export function* sampleBatch(
  key: AuthorityKey,
  now: number,
  count: number,
): Generator<Pick<SampleFile, 'name' | 'content'>> {
  const stranger = strayKey(now);
  for (let index = 0; index < count; index += 1) {
    const number = String(index + 1).padStart(4, '0');
    const standing = sampleStandings[index % sampleStandings.length] ?? 'activated';
    const signer = standing === 'unverified' ? stranger : key;
    const installation = sampleInstallation(`batch-${number}`, signer, now);
    yield standing === 'not-activated'
      ? { name: `${standing}-${number}.lic`, content: installation.license }
      : {
          name: `${standing}-${number}.json`,
          content: JSON.stringify(
            installation.state(standing === 'unverified' ? 'activated' : standing),
          ),
        };
  }
}

function laterSamples(key: AuthorityKey, now: number): SampleFile[] {
  const about = {
    'validation-due': 'The installation has to call in, and nothing says that it tried.',
    grace: 'It tried in vain, and may run on until the grace deadline.',
    denied: 'The grace deadline has passed.',
  };
  return (['validation-due', 'grace', 'denied'] as const).flatMap((standing) => {
    const installation = sampleInstallation(`${standing}-bundle`, key, now);
    const jws = installation.state(standing, { certificateEncoding: 'jws' });
    const files: SampleFile[] = [
      {
        name: `${standing}-bundle.json`,
        standing,
        about: about[standing],
        content: JSON.stringify(installation.state(standing), null, 2),
        installation,
      },
      {
        name: `${standing}-bundle-with-jws.json`,
        standing,
        about: 'The same, with the certificate as a compact JWS.',
        content: JSON.stringify(jws, null, 2),
        installation,
      },
    ];
    if (standing === 'grace') return files;
    return [
      ...files,
      {
        name: `${standing}-certificate.cert`,
        standing,
        about: 'The certificate alone.',
        content: installation.compact(standing),
        installation,
      },
    ];
  });
}

/** Makes licenses alone, whole and as customers send them. */
function notActivatedSamples(key: AuthorityKey, now: number): SampleFile[] {
  const { license } = sampleInstallation('license', key, now);
  const file = (what: string, about: string, content: string | Uint8Array): SampleFile => ({
    name: `not-activated-${what}`,
    standing: 'not-activated',
    about,
    content,
  });
  const bound = { domain: 'shop.example.com', license_type: 'Extended' };
  const oneDomain = sampleInstallation('one-domain', key, now, bound).license;
  const yesterday = new Date(now - dayMs).toISOString();
  const expired = sampleInstallation('expired', key, now, { expires_at: yesterday }).license;
  const segmentSigned = signLicense(
    { license_id: 'sample-segment-signed', product_slug: 'aurora-theme', sample: true },
    key,
    { ...defaultConfig, signingInput: 'segment' },
  );
  return [
    file('license.lic', 'A license as it was issued.', license),
    file('license-for-one-domain.lic', 'An extended license, sold for one domain.', oneDomain),
    file('license-expired.lic', 'A license whose own term has ended.', expired),
    file('license-signed-as-segment.lic', 'The signature is over the segment.', segmentSigned),
    file('license-armoured.txt', 'Between BEGIN and END lines.', armour(license, 'LICENSE KEY')),
    file('license-wrapped.txt', 'Wrapped at 48 columns.', wrap(license, 48)),
    file(
      'license-mangled-by-mail.txt',
      'In a mail, wrapped and quoted.',
      mail('You sent me this:', quote(wrap(`License: ${license}`, 72))),
    ),
    file('license-zero-width.txt', 'With invisible characters in it.', sprinkle(license, 40)),
    file('license-in-quotes.txt', 'With typographic quotes.', `License key: “${license}”.`),
    file('license-padded.txt', 'In base64 where base64url was due.', toPaddedBase64(license)),
    file('license-with-bom.lic', 'With a byte order mark.', `\uFEFF${license}\r\n`),
    file('license-utf-16.txt', 'In UTF-16.', Buffer.from(`\uFEFF${license}`, 'utf16le')),
  ];
}

/** Holds what of an authority signs the samples and knows their installations. */
interface Parts {
  readonly keys: AuthorityKeys;
  readonly ledger: Ledger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Serves the sample files at `/samples/NAME`, made for each download so that their times are right, and registers their
 * installations with the authority.
 */
export function sampleRoutes({ keys, ledger, clock }: Parts): Hono {
  const app = new Hono();
  app.get('/samples/:name', (c) => {
    const file = sampleFiles(keys.current(), clock()).find(
      ({ name }) => name === c.req.param('name'),
    );
    if (file === undefined) return c.json({ status: 'error', msg: 'No such sample.' }, 404);
    registerSample(ledger, file);
    return c.body(new Uint8Array(Buffer.from(file.content)), 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  return app;
}

/**
 * Writes the sample files into the folder, the batch into `batch/` below it, and the public key beside them.
 * @returns how many license files there are
 */
export function writeSamples(folder: string, authority: Parts, batchSize = 1000): number {
  const { keys, ledger, clock } = authority;
  const key = keys.current();
  const now = clock();
  const batch = join(folder, 'batch');
  mkdirSync(batch, { recursive: true });
  const files = sampleFiles(key, now);
  for (const file of files) {
    registerSample(ledger, file);
    writeFileSync(join(folder, file.name), file.content);
  }
  for (const { name, content } of sampleBatch(key, now, batchSize)) {
    writeFileSync(join(batch, name), content);
  }
  writeFileSync(join(folder, 'public-key.pem'), toPem(key.publicKey));
  return files.length + batchSize;
}

/** Registers a sample's installation with the authority as activated, so that a validation finds it. */
function registerSample(ledger: Ledger, { installation, revoked }: SampleFile): void {
  if (installation === undefined) return;
  const { license, licenseId, domain, productSlug, installationId } = installation;
  ledger.activate({
    license,
    domain,
    product_slug: productSlug,
    installation_id: installationId,
  });
  if (revoked === true) ledger.revoke(licenseId, 'the purchase was refunded', 'control');
}
