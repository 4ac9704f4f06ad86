import { signLicense } from '#sandbox/authority/documents';
import type { AuthorityKey } from '#sandbox/authority/keys';
import { defaultConfig } from '#sandbox/authority/settings';
import { type SampleFile, sampleInstallation } from '#sandbox/samples/installation';
import { tamper, unsignedJws } from '#sandbox/samples/mangle';

const standing = 'unverified';

/** Makes files that prove nothing: forged, damaged, foreign, or dressed as something else. */
export function unverifiedSamples(
  key: AuthorityKey,
  stranger: AuthorityKey,
  now: number,
): SampleFile[] {
  const genuine = sampleInstallation('license', key, now);
  const foreign = sampleInstallation('foreign', stranger, now);
  const certificate = genuine.compact('activated');
  const jws = genuine.compact('activated', 'jws');
  const file = (what: string, about: string, content: string): SampleFile => ({
    name: `${standing}-${what}`,
    standing,
    about,
    content,
  });
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
    file(
      'tampered-bundle.json',
      'A genuine license with a certificate that was changed.',
      JSON.stringify({
        ...genuine.state('activated'),
        activation_certificate: tamper(certificate, 'shop.example.com', 'free.example.com'),
      }),
    ),
    file('license-of-another-key.lic', 'Signed by a key that is not pinned.', foreign.license),
    file(
      'bundle-of-another-key.json',
      'All of it signed by a key that is not pinned.',
      JSON.stringify(foreign.state('activated'), null, 2),
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

/** Carries the signing input of a JWS as the payload of an envelope, under the signature that holds over it. */
function dressedAsLicense(jws: string): string {
  const end = jws.lastIndexOf('.');
  return `${Buffer.from(jws.slice(0, end)).toString('base64url')}${jws.slice(end)}`;
}
