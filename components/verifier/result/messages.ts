import { useI18n } from '#components/i18n';
import { useFormats, type Formats } from '#components/formats';
import type { Tone } from '#components/ui/tone';
import { isolated, visibleText, withoutIsolates } from '#core/text/index';
import type { Check, HeadlineSentence, Inspection } from '#core/license/index';
import { useClock } from '#stores/clock';

type Standing = Inspection['standing'];
type Headline = Inspection['headline'];

/** The headlines that speak against a document whatever its standing is. */
const contradictions = [
  'mismatch-domain',
  'mismatch-installation',
  'mismatch-product',
  'mismatch-license',
  'issued-ahead',
] as const satisfies readonly HeadlineSentence['id'][];
export type Contradiction = (typeof contradictions)[number];

const leading = ['license-expired', 'other-name', 'denied-refused', ...contradictions] as const;

/**
 * The words of a badge: the standing, or what the headline says against it. An unverified file is either `invalid` (its
 * signature, key or text does not hold), or `no-license` (it holds nothing to verify), or plainly unverified.
 */
export type BadgeWord = Standing | 'invalid' | 'no-license' | (typeof leading)[number];

interface Badge {
  readonly word: BadgeWord;
  readonly tone: Tone;
}

/** Returns the badge to show beside a headline; it never shows a good standing that the headline contradicts. */
export function badgeOf(standing: Standing, headline?: Headline): Badge {
  const word = badgeWordOf(standing, headline);
  const isOfHeadline = headline !== undefined && (word !== standing || headline.tone === 'bad');
  return { word, tone: isOfHeadline ? toneOf(headline) : toneOfStanding[standing] };
}

function badgeWordOf(standing: Standing, headline?: Headline): BadgeWord {
  if (headline === undefined) return standing;
  if (standing !== 'unverified')
    return leading.find((id) => id === headline.sentences[0]?.id) ?? standing;
  if (headline.tone === 'bad') return 'invalid';
  return isWithoutLicense(headline) ? 'no-license' : standing;
}

function isWithoutLicense({ sentences }: Headline): boolean {
  return /^(?:nothing-found|source-)/u.test(sentences[0]?.id ?? '');
}

function toneOf(headline: Headline): Tone {
  return isWithoutLicense(headline) ? 'plain' : toneOfHeadline[headline.tone];
}

/** Tells whether a headline leads with something that speaks against the standing. */
export function isContradicted(word: BadgeWord): word is Contradiction {
  return contradictions.some((id) => id === word);
}

const toneOfStanding: Readonly<Record<Standing, Tone>> = {
  activated: 'good',
  'validation-due': 'warn',
  grace: 'warn',
  denied: 'bad',
  'not-activated': 'warn',
  unverified: 'note',
};

const toneOfHeadline: Readonly<Record<Headline['tone'], Tone>> = {
  good: 'good',
  caution: 'warn',
  bad: 'bad',
  unknown: 'note',
};

export const toneOfOutcome: Readonly<Record<Check['outcome'], Tone>> = {
  pass: 'good',
  warn: 'warn',
  fail: 'bad',
  skip: 'plain',
};

/** The headlines whose reason is worded by their check. */
const explained =
  /^(?:license|certificate)-(?:unreadable|not-genuine|no-key-fits)$|^key-not-trusted$/u;
/** The headlines that state the standing of an installation. */
const ofStanding = /^(?:not-activated|activated|validation-due|grace|denied)/u;

export interface HeadlineMessages {
  readonly tone: Tone;
  /** Says that a test key vouches for the document, or that it calls itself a test, in a badge's words; else empty. */
  readonly test: string;
  readonly title: string;
  /** The reason; empty if the verdict says everything. */
  readonly reason: string;
  readonly rest: readonly string[];
  /**
   * Says when the document was issued and that a later revocation cannot be seen, or repeats the authority's answer.
   * Empty if the reason says so.
   */
  readonly asOf: string;
  /** Verdict, reason and the further sentences in one text, for files and copies. */
  readonly whole: string;
}

/**
 * Returns a function that puts a document's headline into words. A headline that is `undefined` was lost with its
 * verifier.
 */
export function useHeadlineMessages(): (
  headline: Headline | undefined,
  at?: number,
) => HeadlineMessages {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();
  const present = useClock();

  function optional(key: string, fill: Record<string, unknown>): string {
    return i18n.has(key) ? t(key, fill) : '';
  }

  function asked(part: string, { at, authority }: NonNullable<Headline['answer']>): string {
    return t(`verifier.asked.${part}`, {
      authority: visibleText(authority),
      clock: formats.clock(at, present.present),
    });
  }

  function wordsOf({ id, data }: HeadlineSentence, at: number): { say: string; why: string } {
    if (id === 'source-private-key')
      return { say: t('verifier.headline.source-key'), why: t('verifier.keys.fault.privateKey') };
    const fill = fillOf(data, at, formats);
    const variant = ['alone', 'said'].find((name) => i18n.has(`verifier.headline.${id}-${name}`));
    const applies = variant === 'alone' ? !('expected' in data) : 'msg' in data;
    const key = variant !== undefined && applies ? `${id}-${variant}` : id;
    const reason = String(data['reason']);
    const why = explained.test(id)
      ? optional(`verifier.check.shared.${reason}.say`, fill)
      : optional(`verifier.headlineWhy.${id}-${reason}`, fill) ||
        optional(`verifier.headlineWhy.${id}`, fill);
    return { say: t(`verifier.headline.${key}`, fill), why };
  }

  /** Puts one verdict and one reason for it into words; a remark on a standing takes precedence over its own reason. */
  function sentencesOf(
    { sentences, answer }: Headline,
    at: number,
  ): Pick<HeadlineMessages, 'title' | 'reason' | 'rest'> {
    const [lead, second] = sentences;
    if (lead === undefined) return { title: '', reason: '', rest: [] };
    const fill = fillOf(lead.data, at, formats);
    const isForBoth = areUnderOneUnknownKey(lead, second);
    const others = sentences.slice(isForBoth ? 2 : 1);
    const { say, why } = wordsOf(lead, at);
    const title = isForBoth
      ? t('verifier.headline.both-unknown-key', fill)
      : optional(`verifier.headline.${lead.id}-lead`, fill) || say;
    const followers = others.map((sentence) => {
      const { say: alsoSaid, why: reason } = wordsOf(sentence, at);
      // A text that both sentences share is said once.
      const text = [alsoSaid === say ? '' : alsoSaid, reason === why ? '' : reason]
        .join(' ')
        .trim();
      if (text === '') return '';
      return ofStanding.test(sentence.id) ? t('verifier.headlineApart', { sentence: text }) : text;
    });
    if (lead.id === 'denied-refused') {
      const reason = answer === undefined ? why : `${asked('refusedNow', answer)} ${why}`;
      return { title, reason, rest: followers };
    }
    const sentencesAfter = ofStanding.test(lead.id)
      ? [...followers.slice(0, 1), why, ...followers.slice(1)]
      : [why, ...followers];
    const [reason = '', ...rest] = sentencesAfter.filter((text) => text !== '');
    return { title, reason, rest };
  }

  function asOfIn({ answer, asOf, sentences }: Headline): string {
    if (answer !== undefined) {
      return sentences[0]?.id === 'denied-refused' ? '' : asked(answer.outcome, answer);
    }
    if (asOf !== undefined) return t('verifier.asOf.issued', { date: formats.date(asOf) });
    const isProven = sentences.some(({ id }) => ofStanding.test(id));
    return t(`verifier.asOf.${isProven ? 'undated' : 'unproven'}`);
  }

  function testWordsOf({ test, calledTest, unstated }: Headline): string {
    if (test) return t('verifier.testLicense');
    if (calledTest === true) return t('verifier.calledTest');
    return unstated === true ? t('verifier.unstated') : '';
  }

  return (headline, at = present.present) => {
    if (headline === undefined) {
      const title = t('verifier.lost');
      return { tone: 'plain', test: '', title, reason: '', rest: [], asOf: '', whole: title };
    }
    const { title, reason, rest } = sentencesOf(headline, at);
    return {
      title,
      reason,
      rest,
      tone: toneOf(headline),
      test: testWordsOf(headline),
      asOf: asOfIn(headline),
      whole: withoutIsolates([title, reason, ...rest].filter((text) => text !== '').join(' ')),
    };
  };
}

/** Tells whether license and certificate are signed under the same key, which is not pinned: one sentence says both. */
function areUnderOneUnknownKey(lead: HeadlineSentence, second?: HeadlineSentence): boolean {
  return (
    lead.id === 'license-unknown-key' &&
    second?.id === 'certificate-unknown-key' &&
    lead.data['keyId'] === second.data['keyId']
  );
}

interface CheckMessages {
  readonly title: string;
  readonly sentence: string;
  /** The longer explanation, if there is one. */
  readonly detail: string | undefined;
  /** A sentence for the customer, if there is one. */
  readonly tell: string | undefined;
}

/** Words a check by `verifier.check.<id>.<reason>`: `say`, and if there is more, `detail` and `tell`. */
export function useCheckMessages(): (check: Check, moment: number) => CheckMessages {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();

  /** Lists the fields that two documents share, with the names that the tables of claims use. */
  function namesOf({ fields = '' }: Check['data']): string {
    const claims = String(fields).replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
    return formats.all(claims.split(', ').map((claim) => t(`verifier.claims.name.${claim}`)));
  }

  return ({ id, reason, data }, moment) => {
    const own = `verifier.check.${id}.${reason}`;
    // A reason that several checks share, such as a wrapped payload or a revoked key, has one text.
    const key = i18n.has(`${own}.say`) ? own : `verifier.check.shared.${reason}`;
    const fill = fillOf(
      reason === 'agrees' ? { ...data, fields: namesOf(data) } : data,
      moment,
      formats,
    );
    const optional = (part: 'detail' | 'tell'): string | undefined =>
      i18n.has(`${key}.${part}`) ? t(`${key}.${part}`, fill) : undefined;
    return {
      title: t(`verifier.check.${id}.title`),
      sentence: t(`${key}.say`, fill),
      detail: optional('detail'),
      tell: optional('tell'),
    };
  };
}

/**
 * Returns the values for a sentence. A moment (`nextValidationAt`) is given as a day, or with its hour if it is near;
 * as `nextValidationAtAgo` ("in 3 days", "3 days ago"); and exactly, as `nextValidationAtUtc`, isolated. Invisible
 * characters in text from a file are shown.
 * @param moment what "ago" counts from, epoch milliseconds
 */
function fillOf(
  data: Check['data'],
  moment: number,
  formats: Formats,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, string | number][] => {
      if (typeof value === 'string') return [[name, visibleText(value)]];
      if (!/(?:At|Until)$|^(?:since|now|latestSeen)$/u.test(name)) return [[name, value]];
      return [
        [name, formats.nearDate(value, moment)],
        [`${name}Ago`, formats.relative(value, moment)],
        [`${name}Utc`, isolated(formats.utc(value))],
      ];
    }),
  );
}
