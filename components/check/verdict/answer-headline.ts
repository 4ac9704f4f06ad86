import type { Formats } from '#components/formats';
import type { Catalogue } from '#components/i18n';
import type { Tone } from '#components/ui/tone';
import type { AnswerSummary } from '#core/check/index';
import { type ExactVerdict, verdictOf } from '#core/verdict/index';

/** The values of `data-verdict`. */
export type VerdictKind = 'supported' | 'lapsed' | 'no-support' | 'not-found' | 'fault';

export interface AnswerHeadline {
  readonly kind: VerdictKind;
  readonly tone: Tone;
  readonly title: string;
  readonly why: string;
  /** The exact verdict behind `no-support`. */
  readonly reason?: ExactVerdict;
}

/**
 * Puts one answer into a sentence.
 * @param now epoch milliseconds
 * @param isOfSeveral whether the sentence is about the answers of several connections
 */
export function answerHeadline(
  answer: AnswerSummary,
  now: number,
  isOfSeveral: boolean,
  { t, formats }: { readonly t: Catalogue['t']; readonly formats: Formats },
): AnswerHeadline {
  if (answer.kind === 'not-found') {
    const title = t(isOfSeveral ? 'answer.notFoundAny' : 'answer.notFound');
    return { kind: 'not-found', tone: 'bad', title, why: '' };
  }
  const verdict = verdictOf(answer.purchase, now);
  switch (verdict.kind) {
    case 'supported': {
      const { until } = verdict;
      const date = formats.shortNearDate(until, now);
      return {
        kind: 'supported',
        tone: 'good',
        title: t('answer.supported', { date }),
        why: t('answer.supportedWhy', { span: formats.span(now, until) }),
      };
    }
    case 'lapsed': {
      const { until } = verdict;
      const date = formats.shortNearDate(until, now);
      return {
        kind: 'lapsed',
        tone: 'warn',
        title: t('answer.lapsed', { ago: formats.relative(until, now) }),
        why: t('answer.lapsedWhy', { date }),
      };
    }
    case 'no-support':
      return {
        kind: 'no-support',
        tone: 'note',
        title: t('answer.noSupport'),
        why: t('answer.noSupportWhy'),
      };
    case 'untold':
      return {
        kind: 'no-support',
        reason: 'untold',
        tone: 'note',
        title: t('answer.exact.untold'),
        why: t('answer.untoldWhy'),
      };
    case 'problem': {
      const { problem, since } = verdict;
      return {
        kind: 'no-support',
        reason: problem,
        tone: 'bad',
        title: t(`answer.exact.${problem}`),
        why:
          since === undefined
            ? t(problem === 'test' ? 'answer.testWhy' : 'answer.problemWhy')
            : t('answer.lapsedWhy', { date: formats.nearDate(since, now) }),
      };
    }
  }
}
