import { type Catalogue, useI18n } from '#components/i18n';

import {
  useVerdictMessages,
  type VerdictHeadline,
  type VerdictMessages,
} from '#components/check/verdict/verdict-messages';
import type { CheckReport, OutcomeSummary, StoredReport } from '#core/check/index';
import type { OddHint } from '#core/codes/classify-input';
import { type CheckEntry, type CodeVerdict, useCheck } from '#stores/check/index';
import { useExpectedItem } from '#stores/ticket/expected-item';

/** The answer that a code's card shows. */
export interface ShownAnswer {
  readonly headline: VerdictHeadline;
  /** An earlier answer may have only the part that the history stores. */
  readonly report: CheckReport | StoredReport;
  /** Set if the answer is an earlier one because no connection has given a new one. */
  readonly isKnown?: true;
}

type Known = NonNullable<ReturnType<VerdictMessages['knownHeadline']>>;

/** How many digits and letters a code of the most common kind has. */
const codeLength = 32;

/** Returns a function that picks the answer for a code's card; it returns undefined while there is none. */
export function useShownAnswer(): (
  entry: CheckEntry,
  verdict: CodeVerdict,
) => ShownAnswer | undefined {
  const { t } = useI18n();
  const check = useCheck();
  const expectedItem = useExpectedItem();
  const { codeHeadline, knownHeadline } = useVerdictMessages();

  /** Returns the whole of a stored answer if it was shown in this browser session, else its stored part. */
  function wholeOf(code: string, { connectionId, outcome, at }: Known): OutcomeSummary {
    const report = check.past
      .find((entry) => entry.code === code)
      ?.pendingChecks.find((each) => each.connectionId === connectionId)?.report;
    return report?.outcome.ok === true && report.checkedAt === at ? report.outcome : outcome;
  }

  return ({ code }, verdict) => {
    const { report } = verdict.lead;
    const headline = codeHeadline(verdict, expectedItem.current);
    if (report === undefined || headline === undefined) return undefined;
    const known = knownHeadline(verdict, expectedItem.current);
    if (known !== undefined) {
      const { connectionId, at: checkedAt } = known;
      const outcome = wholeOf(code, known);
      return {
        headline: known,
        report: { code, connectionId, checkedAt, outcome },
        isKnown: true,
      };
    }
    if (check.odd !== 'wrong-length' || headline.kind !== 'not-found') return { headline, report };
    const title = oddWords(t, code, 'wrong-length');
    return { headline: { ...headline, title, why: headline.title }, report };
  };
}

/** Says what is odd about a code. */
export function oddWords(t: Catalogue['t'], code: string, hint: OddHint): string {
  if (hint !== 'wrong-length') return t(`answer.odd.${hint}`);
  const count = code.replaceAll('-', '').length;
  return t(count < codeLength ? 'answer.tooShort' : 'answer.tooLong', { count });
}
