import type { AuthorityKey } from '#sandbox/authority/keys';
import { type SampleFile, sampleInstallation } from '#sandbox/samples/installation';
import { mail, quote, wrap } from '#sandbox/samples/mangle';

const standing = 'activated';

/**
 * Makes installations within their validation period: every encoding, and whatever else may be wrong beside the
 * standing.
 */
export function activatedSamples(key: AuthorityKey, now: number): SampleFile[] {
  const installation = sampleInstallation('bundle', key, now);
  const revoked = sampleInstallation('revoked', key, now);
  const other = sampleInstallation('another-license', key, now);
  const state = installation.state(standing);
  const certificate = installation.compact(standing);
  const file = (
    what: string,
    about: string,
    content: unknown,
    more: Partial<SampleFile> = { installation },
  ): SampleFile => ({
    name: `${standing}-${what}`,
    standing,
    about,
    content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ...more,
  });

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
