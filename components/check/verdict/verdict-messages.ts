import type { Component } from 'vue';
import BadgeCheck from '~icons/lucide/badge-check';
import BadgeMinus from '~icons/lucide/badge-minus';
import Ban from '~icons/lucide/ban';
import Waiting from '~icons/lucide/circle-dashed';
import ClockAlert from '~icons/lucide/clock-alert';
import Hourglass from '~icons/lucide/hourglass';
import KeyRound from '~icons/lucide/key-round';
import Lock from '~icons/lucide/lock-keyhole';
import SearchX from '~icons/lucide/search-x';
import ShieldOff from '~icons/lucide/shield-off';
import TriangleAlert from '~icons/lucide/triangle-alert';
import Unplug from '~icons/lucide/unplug';
import WifiOff from '~icons/lucide/wifi-off';

import { useI18n } from '#components/i18n';

import { type AnswerHeadline, answerHeadline } from '#components/check/verdict/answer-headline';
import { faultMessages } from '#components/check/verdict/fault-messages';
import { useFormats } from '#components/formats';
import { isNotFound, type OutcomeSummary, purchaseIn } from '#core/check/index';
import { visibleText } from '#core/text/index';
import type { Fault } from '#core/marketplaces/index';
import type { CodeVerdict, PendingCheck } from '#stores/check/index';
import { useConnections } from '#stores/connections/connections';
import { useClock } from '#stores/clock';
import type { ExpectedItem } from '#core/items/index';
import { lastKnownOf, type VerdictWord, wordOf } from '#core/verdict/index';

export interface VerdictHeadline extends AnswerHeadline {
  readonly icon: Component;
  /** Genuine, but for another item than expected: this leads the sentence, whatever the support. */
  readonly otherItem?: true;
}

type FaultHeadline = Pick<VerdictHeadline, 'icon' | 'title' | 'why'>;

/** The part of a report that its sentence is made from. */
export interface JudgedReport {
  readonly connectionId: string;
  readonly outcome: OutcomeSummary;
}

/** The further things that a report's texts can be about. */
export interface VerdictSubject {
  /** The item that the code should be for. */
  readonly expected?: ExpectedItem | undefined;
  /** The names of the connections that gave the verdict, if there are several. */
  readonly asked?: readonly string[] | undefined;
}

/** One connection's answer about a code; it has no outcome while it is awaited. */
export interface OneAnswer {
  readonly connectionId: string;
  /** The connection's name at that time, in case it has since been deleted. */
  readonly connectionName?: string;
  readonly outcome?: OutcomeSummary | undefined;
}

/** A failed check, with its fault in words. */
export interface FaultyCheck {
  readonly pendingCheck: PendingCheck;
  readonly fault: Fault;
  readonly words: FaultHeadline;
}

/** Puts the answers about a code into words, as of the present moment. */
export interface VerdictMessages {
  /** Puts a report into one sentence. */
  readonly headline: (report: JudgedReport, subject?: VerdictSubject) => VerdictHeadline;
  readonly faultHeadline: (fault: Fault, connectionId: string) => FaultHeadline;
  /**
   * Puts the verdict on one code into one sentence, whichever connections were asked; undefined while nothing is known.
   */
  readonly codeHeadline: (
    verdict: CodeVerdict,
    expected?: ExpectedItem,
  ) => VerdictHeadline | undefined;
  /**
   * Puts the best of the earlier answers into one sentence with its moment, epoch milliseconds, while the connections
   * cannot be asked again; undefined if there is no earlier answer, or if there is a new one.
   */
  readonly knownHeadline: (
    verdict: CodeVerdict,
    expected?: ExpectedItem,
  ) => (VerdictHeadline & JudgedReport & { readonly at: number }) | undefined;
  /**
   * Lists the faults behind a verdict if there are several with different sentences; empty if one sentence or an answer
   * says everything.
   */
  readonly faultsOf: (verdict: CodeVerdict) => readonly FaultyCheck[];
  /**
   * Puts the answers that do not give a code's verdict into one line, without a fault that the verdict already reports.
   */
  readonly othersLine: (
    others: readonly OneAnswer[],
    verdict: VerdictHeadline | undefined,
  ) => string;
  /** Returns the name of a license tier. The set of tiers is open (spec section 2); two have labels of their own. */
  readonly licenseType: (sent: string) => string;
  readonly nameOf: (connectionId: string) => string;
  /** Returns the names of the connections that a code's sentence is about. */
  readonly askedOf: (verdict: CodeVerdict) => string[];
  /** Returns the same names as one text. */
  readonly namesOf: (verdict: CodeVerdict) => string;
}

const knownTiers = new Set(['regular', 'extended']);

/** The verdicts that a marketplace objects to share one icon. */
const verdictIcons: Partial<Record<VerdictWord, Component>> = {
  supported: BadgeCheck,
  lapsed: ClockAlert,
  'no-support': BadgeMinus,
  untold: BadgeCheck,
  'other-item': TriangleAlert,
  'not-found': SearchX,
  fault: TriangleAlert,
  waiting: Waiting,
};
const faultIcons: Partial<Record<Fault['kind'], Component>> = {
  offline: WifiOff,
  unreachable: Unplug,
  timeout: Hourglass,
  'rate-limited': Hourglass,
  refused: KeyRound,
  'no-key': KeyRound,
  locked: Lock,
  'not-permitted': ShieldOff,
};

export function verdictIcon(word: VerdictWord, fault?: Fault['kind']): Component {
  return (fault && faultIcons[fault]) ?? verdictIcons[word] ?? Ban;
}

export function useVerdictMessages(): VerdictMessages {
  const { t } = useI18n();
  const formats = useFormats();
  const clock = useClock();
  const connections = useConnections();

  function nameOf(connectionId: string): string {
    return connections.find(connectionId)?.name ?? '';
  }

  function faultHeadline(fault: Fault, connectionId: string): FaultHeadline {
    const connection = connections.find(connectionId);
    const address = connection?.baseAddress ?? '';
    const { key, fill, why = `${key}.why` } = faultMessages(fault, connection?.throughRelay);
    const values = {
      ...fill,
      name: nameOf(connectionId),
      address,
      host: URL.canParse(address) ? new URL(address).host : '',
      limit: fault.kind === 'too-large' ? formats.bytes(fault.limitBytes) : '',
    };
    const icon = verdictIcon('fault', fault.kind);
    return { icon, title: t(`${key}.title`, values), why: t(why, values) };
  }

  function headline(
    report: JudgedReport,
    { expected, asked = [] }: VerdictSubject = {},
  ): VerdictHeadline {
    if (!report.outcome.ok) {
      const words = faultHeadline(report.outcome.fault, report.connectionId);
      return { kind: 'fault', tone: 'plain', ...words };
    }
    const isOfSeveral = asked.length > 1;
    const { present } = clock;
    const own = answerHeadline(report.outcome.value, present, isOfSeveral, { t, formats });
    const word = wordOf(report, expected, present);
    if (expected === undefined || word !== 'other-item') return { ...own, icon: verdictIcon(word) };
    const name = visibleText(expected.name || `#${String(expected.itemId)}`);
    const bought = visibleText(purchaseIn(report.outcome)?.item.name ?? '');
    return {
      kind: own.kind,
      tone: 'warn',
      icon: TriangleAlert,
      title: t('answer.otherItem'),
      // The support is mentioned nowhere else in the sentence.
      why: [
        t('answer.otherItemWhy', { name, bought }),
        ...(own.reason === undefined ? [own.title] : []),
      ].join(' · '),
      otherItem: true,
    };
  }

  function faultsOf({ lead, others }: CodeVerdict): readonly FaultyCheck[] {
    if (lead.report?.outcome.ok !== false) return [];
    const faults = [lead, ...others].flatMap((pendingCheck) => {
      const { connectionId, report } = pendingCheck;
      if (report?.outcome.ok !== false) return [];
      const { fault } = report.outcome;
      return [{ pendingCheck, fault, words: faultHeadline(fault, connectionId) }];
    });
    return new Set(faults.map(({ words }) => words.title)).size > 1 ? faults : [];
  }

  /** Puts several faults into one sentence, which says that there is no answer and what to do. */
  function silentHeadline(verdict: CodeVerdict): VerdictHeadline | undefined {
    const faults = faultsOf(verdict);
    if (faults.length === 0) return undefined;
    const names = formats.any(
      faults.map(({ pendingCheck: { connectionId } }) => nameOf(connectionId)),
    );
    const isWaitedFor = faults.every(({ pendingCheck: { nextRunAt } }) => nextRunAt !== undefined);
    const isTriedAgain = faults.every(({ fault, pendingCheck: { connectionId } }) => {
      const { throughRelay } = connections.find(connectionId) ?? {};
      return faultMessages(fault, throughRelay).steps.join() === 'retry';
    });
    const what = isWaitedFor ? 'waits' : isTriedAgain ? 'retry' : 'act';
    const icon = verdictIcon('fault');
    return {
      kind: 'fault',
      tone: 'plain',
      icon,
      title: t(`answer.silent.${what}`, { names }),
      why: '',
    };
  }

  function askedOf({ lead, others, isMissing }: CodeVerdict): string[] {
    return (isMissing ? [lead, ...others] : [lead]).map(({ connectionId }) => nameOf(connectionId));
  }

  function othersLine(others: readonly OneAnswer[], verdict: VerdictHeadline | undefined): string {
    const missing: string[] = [];
    const asked: string[] = [];
    const found: string[] = [];
    const faults = new Set<string>();
    for (const { connectionId, outcome, connectionName } of others) {
      const name = connectionName ?? nameOf(connectionId);
      if (outcome === undefined) asked.push(name);
      else if (isNotFound(outcome)) missing.push(name);
      else {
        const { title } = headline({ connectionId, outcome });
        if (outcome.ok) found.push(t('answer.also', { name, headline: title }));
        else if (title !== verdict?.title) faults.add(title);
      }
    }
    return [
      ...found,
      ...faults,
      ...(missing.length === 0 ? [] : [t('answer.notOn', { names: formats.any(missing) })]),
      ...(asked.length === 0 ? [] : [t('answer.asking', { name: formats.all(asked) })]),
    ].join(' · ');
  }

  return {
    headline,
    faultHeadline,
    codeHeadline: (verdict, expected) =>
      silentHeadline(verdict) ??
      (verdict.lead.report && headline(verdict.lead.report, { expected, asked: askedOf(verdict) })),
    faultsOf,
    knownHeadline({ lead, others }, expected) {
      if (lead.report?.outcome.ok !== false) return undefined;
      const checks = [lead, ...others];
      const known = lastKnownOf(
        checks.map(({ connectionId, report }) => ({ connectionId, ...report })),
        clock.present,
      );
      const asked = checks.map(({ connectionId }) => connectionId);
      return known && { ...headline(known, { expected, asked }), ...known };
    },
    othersLine,
    licenseType(sent) {
      const tier = sent.trim().toLowerCase();
      return knownTiers.has(tier) ? t(`answer.licenseType.${tier}`) : visibleText(sent);
    },
    nameOf,
    askedOf,
    namesOf: (verdict) => formats.all(askedOf(verdict)),
  };
}
