import { describe, expect, test } from 'vitest';

import type { Inspection } from '#core/license/index';
import { adviceWords, problemWords } from '#core/replies/license-words';
import { type LicenseSituation } from '#core/reply-templates/index';

/** What of an inspection these words depend on. */
interface Parts {
  readonly sentences?: readonly (string | readonly [id: string, reason: string])[];
  readonly domain?: string;
  readonly standing?: string;
  readonly license?: boolean;
  readonly certificate?: boolean;
}

function inspectionOf(parts: Parts): Inspection {
  const { sentences = [], domain, standing = 'unverified', license, certificate } = parts;
  return {
    headline: {
      sentences: sentences.map((one) =>
        typeof one === 'string' ? { id: one, data: {} } : { id: one[0], data: { reason: one[1] } },
      ),
    },
    checks:
      domain === undefined ? [] : [{ id: 'domain', outcome: 'fail', reason: domain, data: {} }],
    standing,
    ...(license !== undefined && { license: { genuine: license } }),
    ...(certificate !== undefined && { certificate: { genuine: certificate } }),
  } as unknown as Inspection;
}

describe('what is wrong', () => {
  test.each([
    ['www', ['domain-www']],
    ['subdomain', ['domain-subdomain']],
    ['parent', ['domain-subdomain']],
    ['local', ['domain-local']],
    ['staging', ['domain-staging']],
    ['hidden-characters', ['domain-hidden']],
    ['other', []],
  ])('with a domain: %s', (domain, words) => {
    expect(problemWords('wrong-domain', inspectionOf({ domain }))).toEqual(words);
  });

  test('with a domain that no check failed on, is nothing', () => {
    expect(problemWords('wrong-domain', inspectionOf({}))).toEqual([]);
  });

  test.each<[LicenseSituation, Parts['sentences'], readonly string[]]>([
    ['refused', ['denied-refused-stated', 'expired'], ['refused-stated']],
    ['refused', ['expired'], []],
    ['not-activated', ['other-signer', 'expired'], ['other-signer']],
    ['not-activated', ['expired'], []],
    ['altered', ['license-not-genuine'], ['altered-license']],
    ['altered', ['expired', 'certificate-not-genuine'], ['altered-certificate']],
    ['altered', ['certificate-not-genuine', 'license-not-genuine'], ['altered-both']],
    ['altered', ['expired'], []],
    ['unpinned-key', ['license-unknown-key'], ['unknown-key-license']],
    ['unpinned-key', ['license-unknown-key', 'certificate-unknown-key'], ['unknown-key-both']],
    ['unpinned-key', [['key-not-trusted', 'key-revoked']], ['key-revoked']],
    ['unpinned-key', [['key-not-trusted', 'outside-validity']], ['key-out-of-time']],
    ['unpinned-key', [['key-not-trusted', 'unreadable-issue-date']], ['key-out-of-time']],
    ['unpinned-key', [['key-not-trusted', 'other-product']], ['key-of-other-product']],
    ['unpinned-key', [['key-not-trusted', 'no-product']], ['key-of-other-product']],
    ['unpinned-key', [['key-not-trusted', 'other-authority']], ['key-of-other-authority']],
    ['unpinned-key', [['key-not-trusted', 'another']], []],
    ['unpinned-key', [['expired', 'key-revoked']], []],
  ])('when %s, by its sentences %j', (situation, sentences = [], words) => {
    expect(problemWords(situation, inspectionOf({ sentences }))).toEqual(words);
  });

  test.each<[Parts['sentences'], readonly string[]]>([
    [['nothing-found'], ['file-nothing']],
    [['source-empty'], ['file-empty']],
    [['source-too-large'], ['file-too-large']],
    [['source-zip'], ['file-zip']],
    [['source-image'], ['file-image']],
    [['source-pdf'], ['file-pdf']],
    [['source-office'], ['file-office']],
    [['source-binary'], ['file-other']],
    [['source-too-deep'], ['file-other']],
    [['source-key'], ['file-key']],
    [['source-private-key'], ['file-key']],
    [['license-unreadable', 'source-key'], ['file-key']],
    [[['license-unreadable', 'misplaced-certificate']], ['certificate-for-license']],
    [[['license-unreadable', 'certificate-fields']], ['certificate-for-license']],
    [
      [
        ['certificate-unreadable', 'syntax'],
        ['license-unreadable', 'certificate-fields'],
      ],
      ['certificate-for-license'],
    ],
    [[['certificate-unreadable', 'misplaced-license']], ['license-for-certificate']],
    [[['license-unreadable', 'syntax']], ['unreadable-license']],
    [[['certificate-unreadable', 'syntax']], ['unreadable-certificate']],
    [['license-unreadable', 'certificate-unreadable'], ['unreadable-both']],
    [[['expired', 'misplaced-certificate']], []],
    [[], []],
  ])('when unreadable, by its sentences %j', (sentences = [], words) => {
    expect(problemWords('unreadable', inspectionOf({ sentences }))).toEqual(words);
  });

  test.each<LicenseSituation>([
    'activated',
    'validation-due',
    'grace',
    'denied',
    'expired',
    'wrong-product',
    'other-installation',
    'mismatched',
  ])('when %s, the situation says it alone', (situation) => {
    const sentences = ['license-not-genuine', 'license-unreadable', 'other-signer'];
    expect(problemWords(situation, inspectionOf({ sentences, domain: 'www' }))).toEqual([]);
  });
});

describe('what is asked for instead', () => {
  test.each<[Parts, readonly string[]]>([
    [{ standing: 'activated', license: false }, []],
    [{ license: false, certificate: false }, ['advice-both']],
    [{ license: false, certificate: true }, ['advice-license']],
    [{ license: false }, ['advice-license']],
    [{ license: true, certificate: false }, ['advice-certificate']],
    [{ certificate: false }, ['advice-certificate']],
    [{}, ['advice-file']],
    [{ license: true, certificate: true }, ['advice-file']],
    [
      { sentences: ['expired', ['license-unreadable', 'misplaced-certificate']], license: false },
      ['advice-send-license'],
    ],
    [{ sentences: [['license-unreadable', 'certificate-fields']] }, ['advice-send-license']],
    [{ sentences: [['license-unreadable', 'syntax']], license: false }, ['advice-license']],
  ])('over %j is %j', (parts, words) => {
    expect(adviceWords(inspectionOf(parts))).toEqual(words);
  });
});
