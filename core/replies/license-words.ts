import type { Check, HeadlineSentence, Inspection } from '#core/license/index';
import { failedCheck } from '#core/replies/license-situation';
import type { ReplyWord } from '#core/replies/reply-facts';
import type { LicenseSituation } from '#core/reply-templates/index';

type DomainReason = Extract<Check, { readonly id: 'domain' }>['reason'];

const ofDomains: Readonly<Partial<Record<DomainReason, ReplyWord>>> = {
  www: 'domain-www',
  subdomain: 'domain-subdomain',
  parent: 'domain-subdomain',
  local: 'domain-local',
  staging: 'domain-staging',
  'hidden-characters': 'domain-hidden',
};

/** Returns the words for the problem, if the situation alone does not express it. */
export function problemWords(situation: LicenseSituation, inspection: Inspection): ReplyWord[] {
  const { sentences } = inspection.headline;
  switch (situation) {
    case 'wrong-domain': {
      const difference = failedCheck(inspection, 'domain')?.reason;
      const word = difference === undefined ? undefined : ofDomains[difference];
      return word === undefined ? [] : [word];
    }
    case 'refused':
      return sentences.some(({ id }) => id === 'denied-refused-stated') ? ['refused-stated'] : [];
    case 'not-activated':
      return sentences.some(({ id }) => id === 'other-signer') ? ['other-signer'] : [];
    case 'altered':
      return ofDocuments('altered', documentsWith(sentences, '-not-genuine'));
    case 'unreadable':
      return unreadableWords(sentences);
    case 'unpinned-key':
      return [
        ...ofDocuments('unknown-key', [
          ...documentsWith(sentences, '-unknown-key'),
          ...documentsWith(sentences, '-no-key-fits'),
        ]),
        ...sentences.flatMap(({ id, data }) =>
          id === 'key-not-trusted' ? (ofKeys[String(data['reason'])] ?? []) : [],
        ),
      ];
    case 'activated':
    case 'validation-due':
    case 'grace':
    case 'denied':
    case 'expired':
    case 'wrong-product':
    case 'other-installation':
    case 'mismatched':
      return [];
  }
}

/** Returns the words that ask for what is needed instead of what was sent. Empty if everything was verified. */
export function adviceWords({ headline, standing, license, certificate }: Inspection): ReplyWord[] {
  if (standing !== 'unverified') return [];
  if (headline.sentences.some(({ data }) => isCertificateForLicense(String(data['reason']))))
    return ['advice-send-license'];
  const isDoubtful = {
    license: license?.genuine === false,
    certificate: certificate?.genuine === false,
  };
  if (isDoubtful.license && isDoubtful.certificate) return ['advice-both'];
  if (isDoubtful.license) return ['advice-license'];
  return [isDoubtful.certificate ? 'advice-certificate' : 'advice-file'];
}

/** Words for a key that signed a document but may not vouch for it. */
const ofKeys: Readonly<Record<string, readonly ReplyWord[]>> = {
  'key-revoked': ['key-revoked'],
  'outside-validity': ['key-out-of-time'],
  'unreadable-issue-date': ['key-out-of-time'],
  'other-product': ['key-of-other-product'],
  'no-product': ['key-of-other-product'],
  'other-authority': ['key-of-other-authority'],
};

const ofFiles: Readonly<Partial<Record<HeadlineSentence['id'], ReplyWord>>> = {
  'nothing-found': 'file-nothing',
  'source-empty': 'file-empty',
  'source-too-large': 'file-too-large',
  'source-zip': 'file-zip',
  'source-image': 'file-image',
  'source-pdf': 'file-pdf',
  'source-office': 'file-office',
  'source-binary': 'file-other',
  'source-too-deep': 'file-other',
  'source-key': 'file-key',
  'source-private-key': 'file-key',
};

function unreadableWords(sentences: readonly HeadlineSentence[]): ReplyWord[] {
  const ofFile = sentences.flatMap(({ id }) => ofFiles[id] ?? []);
  if (ofFile.length > 0) return ofFile;
  const unreadable = sentences.filter(({ id }) => id.endsWith('-unreadable'));
  const reasons = unreadable.map(({ data }) => String(data['reason']));
  if (reasons.some(isCertificateForLicense)) return ['certificate-for-license'];
  if (reasons.includes('misplaced-license')) return ['license-for-certificate'];
  return ofDocuments('unreadable', [
    ...documentsWith(sentences, '-unreadable'),
    ...documentsWith(sentences, '-glued'),
  ]);
}

function isCertificateForLicense(reason: string): boolean {
  return reason === 'misplaced-certificate' || reason === 'certificate-fields';
}

function documentsWith(
  sentences: readonly HeadlineSentence[],
  ending: string,
): ('license' | 'certificate')[] {
  return (['license', 'certificate'] as const).filter((document) =>
    sentences.some(({ id }) => id === `${document}${ending}`),
  );
}

function ofDocuments(
  what: 'altered' | 'unreadable' | 'unknown-key',
  documents: readonly ('license' | 'certificate')[],
): ReplyWord[] {
  const [first] = documents;
  if (first === undefined) return [];
  return [documents.length > 1 ? `${what}-both` : `${what}-${first}`];
}
