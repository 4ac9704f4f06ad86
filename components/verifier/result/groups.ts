import { badgeOf, isContradicted, standings } from '#components/verifier/result/messages';
import type { Inspection } from '#core/license/index';

/** Names results that stand together: those of a standing, or those whose headline contradicts theirs. */
export type ResultGroup = Inspection['standing'] | 'contradicted';

/** Holds what decides in which group a result stands. A headline that is absent was lost with its verifier. */
type Grouped = Pick<Inspection, 'standing'> & Partial<Pick<Inspection, 'headline'>>;

export const resultGroups: readonly ResultGroup[] = [...standings, 'contradicted'];

export function groupOf({ standing, headline }: Grouped): ResultGroup {
  const { word } = badgeOf(standing, headline);
  if (word === 'denied-refused') return 'denied';
  return isContradicted(word) ? 'contradicted' : standing;
}

/** Counts the results of each group. */
export function countGroups(results: readonly Grouped[]): Record<ResultGroup, number> {
  const counts = Object.fromEntries(resultGroups.map((name) => [name, 0])) as Record<
    ResultGroup,
    number
  >;
  for (const result of results) counts[groupOf(result)] += 1;
  return counts;
}
