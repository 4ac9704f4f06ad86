import { type AuthorityKey, strayKey, toPem } from '#sandbox/authority/keys';
import { sampleInstallation, sampleStandings } from '#sandbox/samples/installation';
import type { SampleFile } from '#sandbox/samples/sample-file';
import { attackSamples } from '#sandbox/samples/attacks';
import { activatedSamples } from '#sandbox/samples/activated';
import { notActivatedSamples } from '#sandbox/samples/not-activated';
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

/** Writes the one file that is no license: the key a verifier pins to judge all the others. */
export function publicKeyFile(key: AuthorityKey): { name: string; content: string } {
  return { name: 'public-key.pem', content: toPem(key.publicKey) };
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
