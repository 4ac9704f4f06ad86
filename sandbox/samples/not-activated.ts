import { dayMs } from '#core/time/units';
import { defaultConfig } from '#sandbox/authority/settings';
import { signLicense } from '#sandbox/authority/documents';
import type { AuthorityKey } from '#sandbox/authority/keys';
import type { SampleFile } from '#sandbox/samples/sample-file';
import { sampleInstallation } from '#sandbox/samples/installation';
import { armour, mail, quote, sprinkle, toPaddedBase64, wrap } from '#sandbox/samples/mangle';

const standing = 'not-activated';

/** Makes licenses alone, whole and as customers send them. */
export function notActivatedSamples(key: AuthorityKey, now: number): SampleFile[] {
  const { license } = sampleInstallation('license', key, now);
  const file = (what: string, about: string, content: string | Uint8Array): SampleFile => ({
    name: `${standing}-${what}`,
    standing,
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
