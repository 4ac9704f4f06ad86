import type { Tone } from '#components/ui/tone';
import type {
  FileStanding,
  HeadlineSentence,
  InspectionHeadline,
  CheckOutcome,
} from '#core/license/inspect/inspection';

/** The leading sentences that speak against a document whatever its standing is. */
const contradictions = [
  'mismatch-domain',
  'mismatch-installation',
  'mismatch-product',
  'mismatch-license',
  'issued-ahead',
  'denied-refused',
] as const satisfies readonly HeadlineSentence['id'][];

const leading = ['license-expired', 'other-name', ...contradictions] as const;

/** Names what a badge says: the standing, or what leads the headline against it. */
export type BadgeWord = FileStanding | (typeof leading)[number];

export interface Badge {
  readonly word: BadgeWord;
  readonly tone: Tone;
}

/** Returns the badge that stands beside a headline: a good standing never contradicts what leads it. */
export function badgeOf(standing: FileStanding, headline?: InspectionHeadline): Badge {
  const lead = headline?.sentences[0]?.id;
  const word = leading.find((id) => id === lead) ?? standing;
  const isOfHeadline = headline !== undefined && (word !== standing || headline.tone === 'bad');
  return { word, tone: isOfHeadline ? toneOfHeadline[headline.tone] : toneOfStanding[standing] };
}

/** Tells whether a headline leads with something that speaks against the standing. */
export function isContradicted(word: BadgeWord): boolean {
  return contradictions.some((id) => id === word);
}

/** Lists every standing a file can have, the best first. */
export const standings = [
  'activated',
  'validation-due',
  'grace',
  'denied',
  'not-activated',
  'unverified',
] as const satisfies readonly FileStanding[];

export const toneOfStanding: Readonly<Record<FileStanding, Tone>> = {
  activated: 'good',
  'validation-due': 'warn',
  grace: 'warn',
  denied: 'bad',
  'not-activated': 'warn',
  unverified: 'plain',
};

export const toneOfHeadline: Readonly<Record<InspectionHeadline['tone'], Tone>> = {
  good: 'good',
  caution: 'warn',
  bad: 'bad',
  unknown: 'note',
};

export const toneOfOutcome: Readonly<Record<CheckOutcome, Tone>> = {
  pass: 'good',
  warn: 'warn',
  fail: 'bad',
  skip: 'plain',
};
