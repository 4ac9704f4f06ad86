import {
  badgeOf,
  type BadgeWord,
  type Contradiction,
  isContradicted,
} from '#components/verifier/result/messages';
import type { Tone } from '#components/ui/tone';
import type { Inspection } from '#core/license/index';

/** The groups of results: one for each badge, and one for all whose headline contradicts their standing. */
export type ResultGroup = Exclude<BadgeWord, Contradiction> | 'contradicted';

/** The part of a result that decides its group. The headline is absent if it was lost with its verifier. */
type Grouped = Pick<Inspection, 'standing'> & Partial<Pick<Inspection, 'headline'>>;

/** The tones, the worst first: what is false, what needs care, what cannot be decided yet, and what is good. */
const tones = {
  invalid: 'bad',
  contradicted: 'bad',
  'denied-refused': 'bad',
  denied: 'bad',
  'license-expired': 'warn',
  grace: 'warn',
  'validation-due': 'warn',
  'not-activated': 'warn',
  'other-name': 'warn',
  unverified: 'note',
  'no-license': 'plain',
  activated: 'good',
} as const satisfies Record<ResultGroup, Tone>;

export const resultGroups = Object.keys(tones) as readonly ResultGroup[];

export function toneOfGroup(group: ResultGroup): Tone {
  return tones[group];
}

export function groupOf({ standing, headline }: Grouped): ResultGroup {
  const { word } = badgeOf(standing, headline);
  return isContradicted(word) ? 'contradicted' : word;
}

export function countGroups(results: readonly Grouped[]): Record<ResultGroup, number> {
  const counts = Object.fromEntries(resultGroups.map((name) => [name, 0])) as Record<
    ResultGroup,
    number
  >;
  for (const result of results) counts[groupOf(result)] += 1;
  return counts;
}
