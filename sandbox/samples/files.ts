import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Hono } from 'hono';

import type { JsonObject } from '#core/encoding/index';
import { dayMs } from '#core/time/index';
import { signEnvelope, signLicense } from '#sandbox/authority/documents';
import { type AuthorityKey, type AuthorityKeys, strayKey, toPem } from '#sandbox/authority/keys';
import type { Ledger } from '#sandbox/authority/ledger';
import { defaultConfig } from '#sandbox/authority/settings';
import {
  type SampleFile,
  type SampleInstallation,
  sampleInstallation,
  type SampleStanding,
  sampleStandings,
} from '#sandbox/samples/installation';
import {
  armour,
  dressedAsLicense,
  mail,
  quote,
  sprinkle,
  tamper,
  toPaddedBase64,
  unsignedJws,
  wrap,
} from '#sandbox/samples/mangle';

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

/** Returns what names the samples of a standing, and writes what is neither text nor bytes as JSON. */
function samplesOf(standing: SampleStanding, shared: Partial<SampleFile> = {}) {
  return (
    what: string,
    about: string,
    content: string | Uint8Array | JsonObject,
    more: Partial<SampleFile> = {},
  ): SampleFile => ({
    name: `${standing}-${what}`,
    standing,
    about,
    content:
      typeof content === 'string' || content instanceof Uint8Array
        ? content
        : JSON.stringify(content, null, 2),
    ...shared,
    ...more,
  });
}

/** Makes licenses alone, whole and as customers send them. */
function notActivatedSamples(key: AuthorityKey, now: number): SampleFile[] {
  const { license } = sampleInstallation('license', key, now);
  const file = samplesOf('not-activated');
  const bound = { domain: 'shop.example.com', license_type: 'Extended' };
  const oneDomain = sampleInstallation('one-domain', key, now, bound).license;
  const segmentSigned = signLicense(
    { license_id: 'sample-segment-signed', product_slug: 'aurora-theme', sample: true },
    key,
    { ...defaultConfig, signingInput: 'segment' },
  );
  return [
    file('license.lic', 'A license as it was issued.', license),
    file('license-for-one-domain.lic', 'An extended license, sold for one domain.', oneDomain),
    file(
      'license-expired.lic',
      'A license whose own term has ended.',
      expiredInstallation(key, now).license,
    ),
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

function expiredInstallation(key: AuthorityKey, now: number): SampleInstallation {
  return sampleInstallation('expired', key, now, {
    expires_at: new Date(now - dayMs).toISOString(),
  });
}

/**
 * Makes installations within their validation period: every encoding, and everything that may be wrong besides the
 * standing.
 */
function activatedSamples(key: AuthorityKey, now: number): SampleFile[] {
  const standing = 'activated';
  const installation = sampleInstallation('bundle', key, now);
  const revoked = sampleInstallation('revoked', key, now);
  const other = sampleInstallation('another-license', key, now);
  const state = installation.state(standing);
  const certificate = installation.compact(standing);
  const file = samplesOf(standing, { installation });

  return [
    file(
      'bundle.json',
      'The whole state of an installation. The authority can validate it.',
      state,
    ),
    file(
      'revoked-since.json',
      'Revoked since then: only the authority can tell.',
      revoked.state(standing),
      { installation: revoked, revoked: true },
    ),
    file('certificate.cert', 'A certificate alone, in the license’s own envelope.', certificate),
    file(
      'certificate-signed-as-segment.cert',
      'The signature is over the segment.',
      installation.certificate(standing, { signingInput: 'segment' }),
    ),
    file(
      'certificate-as-jws.jwt',
      'A certificate as a compact JWS.',
      installation.certificate(standing, { certificateEncoding: 'jws' }),
    ),
    file(
      'certificate-as-pair.json',
      'A certificate as payload and signature.',
      installation.certificate(standing, { certificateEncoding: 'pair' }),
    ),
    file(
      'certificate-as-member.json',
      'A JSON certificate with a signature member.',
      installation.certificate(standing, { certificateEncoding: 'member' }),
    ),
    file(
      'certificate-in-seconds.cert',
      'Its times are epoch seconds, and it names no key.',
      installation.certificate(standing, { timeFormat: 'epoch-seconds', keyIdInPayload: false }),
    ),
    file('activation-response.json', 'The authority’s reply, saved as it came.', {
      status: 'success',
      activation_certificate: certificate,
    }),
    file(
      'bundle-mangled-by-mail.txt',
      'License and certificate in a mail, wrapped and quoted.',
      mail(
        quote(wrap(`License: ${installation.license}`, 76)),
        quote(wrap(`Certificate: ${certificate}`, 76)),
      ),
    ),
    file('newest-of-two-certificates.json', 'An older certificate lies beside the newer one.', {
      ...state,
      previous_certificate: installation.certificate('denied'),
    }),
    file('wrong-domain.json', 'The shop has moved; the certificate has not.', {
      ...state,
      domain: 'staging.example.net',
    }),
    file('wrong-installation.json', 'The files were copied to another installation.', {
      ...state,
      installation_id: other.installationId,
    }),
    file('wrong-product.json', 'It belongs to another product.', {
      ...state,
      product_slug: 'borealis-theme',
    }),
    file('certificate-of-another-license.json', 'License and certificate do not belong together.', {
      ...state,
      license: other.license,
    }),
  ];
}

function laterSamples(key: AuthorityKey, now: number): SampleFile[] {
  const about = {
    'validation-due': 'The installation has to call in, and nothing says that it tried.',
    grace: 'It tried in vain, and may run on until the grace deadline.',
    denied: 'The grace deadline has passed.',
  };
  return (['validation-due', 'grace', 'denied'] as const).flatMap((standing) => {
    const installation = sampleInstallation(`${standing}-bundle`, key, now);
    const file = samplesOf(standing, { installation });
    const certificate = installation.compact(standing);
    return [
      file('bundle.json', about[standing], installation.state(standing)),
      file(
        'bundle-with-jws.json',
        'The same, with the certificate as a compact JWS.',
        installation.state(standing, { certificateEncoding: 'jws' }),
      ),
      ...(standing === 'grace'
        ? []
        : [file('certificate.cert', 'The certificate alone.', certificate)]),
    ];
  });
}

/** Makes files that prove nothing: forged, damaged, foreign, or dressed as something else. */
function unverifiedSamples(key: AuthorityKey, stranger: AuthorityKey, now: number): SampleFile[] {
  const genuine = sampleInstallation('license', key, now);
  const foreign = sampleInstallation('foreign', stranger, now);
  const certificate = genuine.compact('activated');
  const jws = genuine.compact('activated', 'jws');
  const file = samplesOf('unverified');
  return [
    file(
      'tampered-license.lic',
      'Regular was changed into Extended.',
      tamper(genuine.license, 'Regular', 'Extended'),
    ),
    file(
      'tampered-certificate.cert',
      'The domain was changed.',
      tamper(certificate, 'shop.example.com', 'free.example.com'),
    ),
    file('tampered-bundle.json', 'A genuine license with a certificate that was changed.', {
      ...genuine.state('activated'),
      activation_certificate: tamper(certificate, 'shop.example.com', 'free.example.com'),
    }),
    file('license-of-another-key.lic', 'Signed by a key that is not pinned.', foreign.license),
    file(
      'bundle-of-another-key.json',
      'All of it signed by a key that is not pinned.',
      foreign.state('activated'),
    ),
    file('license-cut-off.lic', 'The end is missing.', genuine.license.slice(0, -20)),
    file('certificate-alg-none.jwt', 'A JWS that asks not to be verified.', unsignedJws(jws)),
    file(
      'certificate-dressed-as-license.lic',
      'A JWS certificate made to look like a license.',
      dressedAsLicense(jws),
    ),
    file(
      'certificate-without-deadlines.cert',
      'Genuinely signed, but it says nothing of deadlines.',
      // Signed as the authority would sign it, for the mistake to be the authority's own.
      signLicense(
        {
          license_id: genuine.licenseId,
          domain: genuine.domain,
          installation_id: genuine.installationId,
        },
        key,
        defaultConfig,
      ),
    ),
    file('nothing.txt', 'No license in it at all.', 'Please find my license attached.\r\n'),
    file('empty.txt', 'Empty.', ''),
  ];
}

/** Makes files that look better than they are, each with the headline that it must get. */
function attackSamples(key: AuthorityKey, stranger: AuthorityKey, now: number): SampleFile[] {
  const installation = sampleInstallation('bundle', key, now);
  const foreign = sampleInstallation('bundle', stranger, now);
  const second = sampleInstallation('another-license', key, now);
  const active = installation.state('activated');
  /** Signs a certificate of the spec’s four fields, with deadlines in so many days. */
  const fourFields = (dueIn: number, graceIn: number, more: JsonObject = {}): string =>
    signEnvelope(
      {
        domain: installation.domain,
        installation_id: installation.installationId,
        next_validation_at: new Date(now + dueIn * dayMs).toISOString(),
        grace_until: new Date(now + graceIn * dayMs).toISOString(),
        ...more,
      },
      key,
      'payload',
    );
  const file = (
    standing: SampleStanding,
    what: string,
    about: string,
    content: JsonObject,
    judgement: NonNullable<SampleFile['judgement']>,
  ): SampleFile => samplesOf(standing)(`${what}.json`, about, content, { judgement });

  return [
    file(
      'unverified',
      'certificate-of-another-key',
      'A genuine license with a certificate of a key that is not pinned.',
      { ...active, activation_certificate: foreign.compact('activated') },
      { tone: 'unknown', sentences: ['certificate-unknown-key'] },
    ),
    file(
      'activated',
      'certificate-with-four-fields',
      'The certificate has the spec’s four fields alone: its domain alone binds it.',
      { ...active, activation_certificate: fourFields(5, 19) },
      { tone: 'good', sentences: ['activated'] },
    ),
    file(
      'activated',
      'license-expired',
      'The license’s own term has ended, whatever the certificate says.',
      expiredInstallation(key, now).state('activated'),
      { tone: 'caution', sentences: ['license-expired', 'activated'] },
    ),
    file(
      'denied',
      'older-certificates-beside',
      'The newest certificate is over; an older one and one without a date have time left.',
      {
        ...installation.state('denied'),
        undated_certificate: fourFields(5, 19),
        older_certificate: fourFields(20, 40, {
          issued_at: new Date(now - 90 * dayMs).toISOString(),
        }),
      },
      { tone: 'bad', sentences: ['denied', 'undated-certificate'] },
    ),
    file(
      'activated',
      'certificate-without-date-beside',
      'A certificate without a date says that the time is over: it may be the newer one.',
      { ...active, undated_certificate: fourFields(-20, -5) },
      { tone: 'caution', sentences: ['activated', 'undated-certificate'] },
    ),
    file(
      'unverified',
      'license-in-the-certificates-place',
      'Two licenses, and no certificate.',
      { ...active, activation_certificate: second.license },
      { tone: 'bad', sentences: ['certificate-unreadable'] },
    ),
    file(
      'unverified',
      'certificate-in-the-licenses-place',
      'Two certificates, and no license.',
      { ...active, license: installation.compact('activated') },
      { tone: 'bad', sentences: ['license-unreadable'] },
    ),
    file(
      'unverified',
      'unsigned-certificate-in-its-place',
      'A JWS in the certificate’s place that asks not to be verified.',
      {
        ...active,
        activation_certificate: unsignedJws(installation.compact('activated', 'jws')),
      },
      { tone: 'bad', sentences: ['certificate-unreadable'] },
    ),
  ];
}

/** What of an authority signs the samples and knows their installations. */
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

const batchSize = 1000;

/**
 * Writes the sample files and the public key into the folder, and the batch into `batch/` below it.
 * @returns how many license files there are
 */
export function writeSamples(folder: string, authority: Parts): number {
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
