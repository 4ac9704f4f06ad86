import type { Tone } from '#components/ui/tone';
import type {
  CheckOutcome,
  FileStanding,
  InspectionHeadline,
} from '#core/license/inspect/inspection';

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
  'not-activated': 'note',
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
