import { sign } from 'node:crypto';

import { omitUndefined } from '#core/result';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { AuthorityKey } from '#sandbox/authority/keys';
import { type SampleFile, sampleInstallation } from '#sandbox/samples/installation';
import { unsignedJws } from '#sandbox/samples/mangle';

/** Signs these claims and nothing more, as `<payload>.<signature>` over the payload. */
function signClaims(claims: JsonObject, { privateKey }: AuthorityKey): string {
  const payload = Buffer.from(JSON.stringify(claims));
  const signature = sign(null, payload, privateKey);
  return `${payload.toString('base64url')}.${signature.toString('base64url')}`;
}

const day = 86_400_000;

/** Makes files that look better than they are, each with the headline that it must get. */
export function attackSamples(
  key: AuthorityKey,
  stranger: AuthorityKey,
  now: number,
): SampleFile[] {
  const installation = sampleInstallation('bundle', key, now);
  const foreign = sampleInstallation('bundle', stranger, now);
  const yesterday = new Date(now - day).toISOString();
  const expired = sampleInstallation('expired', key, now, { expires_at: yesterday });
  const second = sampleInstallation('another-license', key, now);
  const active = installation.state('activated');
  const bound = { domain: installation.domain, installation_id: installation.installationId };
  const terms = (dueIn: number, graceIn: number): JsonObject => ({
    ...bound,
    next_validation_at: new Date(now + dueIn * day).toISOString(),
    grace_until: new Date(now + graceIn * day).toISOString(),
  });
  const file = (
    standing: SampleFile['standing'],
    what: string,
    about: string,
    content: JsonObject,
    judgement: SampleFile['judgement'],
  ): SampleFile =>
    omitUndefined({
      name: `${standing}-${what}.json`,
      standing,
      about,
      content: JSON.stringify(content, null, 2),
      judgement,
    });

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
      { ...active, activation_certificate: signClaims(terms(5, 19), key) },
      { tone: 'good', sentences: ['activated'] },
    ),
    file(
      'activated',
      'license-expired',
      'The license’s own term has ended, whatever the certificate says.',
      { ...expired.state('activated') },
      { tone: 'caution', sentences: ['license-expired', 'activated'] },
    ),
    file(
      'denied',
      'older-certificates-beside',
      'The newest certificate is over; an older one and one without a date have time left.',
      {
        ...installation.state('denied'),
        undated_certificate: signClaims(terms(5, 19), key),
        older_certificate: signClaims(
          { ...terms(20, 40), issued_at: new Date(now - 90 * day).toISOString() },
          key,
        ),
      },
      { tone: 'bad', sentences: ['denied', 'undated-certificate'] },
    ),
    file(
      'activated',
      'certificate-without-date-beside',
      'A certificate without a date says that the time is over: it may be the newer one.',
      { ...active, undated_certificate: signClaims(terms(-20, -5), key) },
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
