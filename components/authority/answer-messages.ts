import { useI18n } from '#components/i18n';

import { useFormats } from '#components/formats';
import type { Tone } from '#components/ui/tone';
import { useHeadlineMessages } from '#components/verifier/result/messages';
import { inlineMarkdown, visibleText } from '#core/text/index';
import type { Answered } from '#stores/verifier/index';
import type { ActivationFault } from '#core/installation/index';
import type { Refusal } from '#messaging/index';

type AuthorityFault = Refusal<'authority.validate'>;

type NotAskedFault = Extract<Answered['outcome'], { readonly kind: 'unasked' }>['fault'];

export type AnyFault = ActivationFault | AuthorityFault | NotAskedFault;

/** Returns the sentence for each kind of fault; a document's fault also gives its reason. */
function useAuthorityFaultMessages(): (fault: AnyFault) => string {
  const i18n = useI18n();
  const { t } = i18n;
  const formats = useFormats();

  const reasonOf = (kind: string): string => {
    const key = `verifier.check.shared.${kind}.say`;
    return i18n.has(key) ? t(key) : '';
  };

  return (fault) => {
    switch (fault.kind) {
      case 'mismatch':
        return t(`authority.fault.mismatch.${fault.document}.${fault.of}`);
      case 'license-unreadable':
      case 'license-not-genuine':
      case 'certificate-unreadable':
      case 'certificate-not-genuine':
        return [t(`authority.fault.${fault.kind}`), reasonOf(fault.fault.kind)].join(' ').trim();
      case 'timeout':
        return t('authority.fault.timeout', { seconds: Math.round(fault.afterMs / 1000) });
      case 'too-large':
        return t('authority.fault.too-large', { limit: formats.bytes(fault.limitBytes) });
      case 'not-json':
      case 'no-answer':
        return t(`authority.fault.${fault.kind}`, { status: fault.status });
      case 'refused':
        return t('authority.fault.refused', { msg: visibleText(fault.msg) });
      case 'not-permitted':
        return t('authority.fault.not-permitted', { origin: fault.origin });
      case 'offline':
      case 'unreachable':
      case 'redirected':
      case 'no-certificate':
      case 'older-certificate':
      case 'vault':
      case 'no-authority':
      case 'worker-lost':
        return t(`authority.fault.${fault.kind}`);
    }
  };
}

export interface AnswerMessages {
  readonly tone: Tone;
  readonly title: string;
  /** The meaning of the answer for the installation. */
  readonly why: string;
  /** The bundle's headline including the answer. */
  readonly now: string | undefined;
}

export function useAnswerMessages(): {
  readonly messagesOf: (answered: Answered) => AnswerMessages;
  /** Writes the answer as Markdown for pasting into a ticket. */
  readonly markdown: (answered: Answered) => string;
} {
  const { t } = useI18n();
  const formats = useFormats();
  const headline = useHeadlineMessages();
  const faultMessages = useAuthorityFaultMessages();

  function messagesOf(answered: Answered): AnswerMessages {
    const { outcome, after, at } = answered;
    const now = after === undefined ? undefined : headline(after.headline, at).whole;
    switch (outcome.kind) {
      case 'granted':
        return {
          tone: 'good',
          title: t('authority.answer.granted'),
          why: t('authority.answer.grantedWhy'),
          now,
        };
      case 'refused': {
        const { msg, status } = outcome.refusal;
        return {
          tone: 'bad',
          title: t('authority.answer.refused'),
          why: t(msg === '' ? 'authority.answer.refusedMute' : 'authority.answer.refusedWhy', {
            msg: visibleText(msg),
            status,
          }),
          now,
        };
      }
      case 'unavailable':
        return {
          tone: 'warn',
          title: t(
            `authority.answer.${provesNothing(outcome.fault.kind) ? 'unproven' : 'unavailable'}`,
          ),
          why: isRefused(after)
            ? faultMessages(outcome.fault)
            : `${faultMessages(outcome.fault)} ${t('authority.answer.unavailableWhy')}`,
          now,
        };
      case 'unasked':
        return {
          tone: 'plain',
          title: t('authority.answer.unasked'),
          why: faultMessages(outcome.fault),
          now,
        };
    }
  }

  function markdown(answered: Answered): string {
    const { title, why, now } = messagesOf(answered);
    const { authority, at, before, after, outcome } = answered;
    // The bundle's new headline already has its title and reason.
    const repeats = outcome.kind === 'refused';
    const line = (when: 'before' | 'after', { headline: shown }: typeof before): string =>
      `- **${t(`authority.report.${when}`)}:** ${inlineMarkdown(headline(shown, at).whole)}`;
    return [
      `## ${inlineMarkdown(title)}`,
      '',
      inlineMarkdown(why),
      '',
      ...(after === undefined || now === undefined
        ? []
        : [line('before', before), ...(repeats ? [] : [line('after', after)]), '']),
      inlineMarkdown(t('authority.report.asked', { name: authority.name, at: formats.utc(at) })),
      '',
    ].join('\n');
  }

  return { messagesOf, markdown };
}

/** Tells whether an earlier refusal still counts, after which an outage opens no grace. */
function isRefused(after: Answered['after']): boolean {
  return after?.headline.sentences.some(({ id }) => id.startsWith('denied-refused')) === true;
}

/** Tells whether there was an answer without valid proof, as opposed to no answer. */
function provesNothing(kind: string): boolean {
  return (
    kind.startsWith('certificate-') ||
    ['no-certificate', 'mismatch', 'older-certificate'].includes(kind)
  );
}
