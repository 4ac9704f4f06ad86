import type { BrowserMessages } from '#adapters/browser/browser-messages';
import type { ContentScripts } from '#adapters/browser/content-scripts';
import type { SidePanel } from '#adapters/browser/side-panel';
import type { WorkerStorage } from '#adapters/storage/worker/index';
import { createSerialQueue } from '#background/serial-queue';
import { createDocumentCodes } from '#background/ticket/document-codes';
import type { Sites } from '#background/ticket/sites';
import { type CheckReport, lastKnownOf, purchaseIn } from '#core/check/index';
import { omitUndefined } from '#core/result';
import { dayMs, hourMs, minuteMs } from '#core/time/units';
import type { Handlers, Reply, TicketUpdate } from '#messaging/index';
import type { ConnectionState } from '#core/connections/index';
import type { ExpectedItem } from '#core/expected-item';
import { type ChipFace, chipFaceOf, isAnswer, supportedUntilOf } from '#core/chips/index';
import type { Site } from '#core/sites';
import { codePatternsOf, connectionsFor } from '#core/code-forms';
import type { CheckRequest } from '#core/check-request';

type Chip = NonNullable<Reply<'ticket.check'>>;

interface TicketDependencies {
  readonly sites: Sites;
  readonly scripts: ContentScripts;
  readonly panel: SidePanel;
  readonly pendingTexts: WorkerStorage['pendingTexts'];
  readonly browserMessages: BrowserMessages;
  readonly connections: () => Promise<readonly ConnectionState[]>;
  readonly check: (request: CheckRequest) => Promise<CheckReport>;
  /** Starts to watch the lock. The returned function tells whether the keys were locked since. */
  readonly watchLock: () => () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Waits for so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Tickets {
  readonly handlers: Pick<
    Handlers,
    'ticket.start' | 'ticket.finder' | 'ticket.open' | 'ticket.check'
  >;
  /** Updates the chips in the documents that have asked about the report's code. */
  showReport(report: CheckReport): Promise<void>;
}

/** The units in which an age is told, the longest first. */
const ageUnits = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
] as const;

const cross = 'm3 3 6 6M9 3 3 9';

/** Gives each face a colour and an icon, which repeat what its label says. Icons are strokes in a square of 12. */
const chipLooks: Readonly<
  Record<ChipFace, { readonly tone: Chip['tone']; readonly icon: string }>
> = {
  ask: { tone: 'plain', icon: 'M2 6h8M6.5 2.5 10 6l-3.5 3.5' },
  asking: { tone: 'plain', icon: 'M2.5 6h.01M6 6h.01M9.5 6h.01' },
  supported: { tone: 'good', icon: 'M2 6.5 4.8 9.2 10 3' },
  lapsed: { tone: 'warn', icon: 'M6 2.5V6l2.2 1.6M6 1a5 5 0 1 0 .01 0z' },
  'no-support': { tone: 'note', icon: 'M6 1a5 5 0 1 0 .01 0zM3.6 6h4.8' },
  untold: { tone: 'note', icon: 'M2 6.5 4.8 9.2 10 3' },
  'not-found': { tone: 'bad', icon: cross },
  refunded: { tone: 'bad', icon: cross },
  disputed: { tone: 'bad', icon: cross },
  'charged-back': { tone: 'bad', icon: cross },
  disabled: { tone: 'bad', icon: cross },
  expired: { tone: 'bad', icon: cross },
  ended: { tone: 'bad', icon: cross },
  test: { tone: 'bad', icon: cross },
  'other-item': { tone: 'warn', icon: 'M6 1.5 11 10.5H1zM6 5v2.5M6 9.1v.1' },
  locked: { tone: 'plain', icon: 'M2.5 5.5h7V11h-7zM4 5.5V4a2 2 0 0 1 4 0v1.5' },
  failed: { tone: 'plain', icon: 'M6 1.5v5.5M6 9.9v.1' },
};

/** Support that ends sooner than this ends on a day rather than in a month. */
const nearMs = 60 * dayMs;

/** No agent clicks more chips than this in a minute; a hostile page would. */
const maxOpensPerMinute = 30;
/** How many requests an unknown code may cost, with a proven dialect and with one that is not. */
const [provenCost, unprovenCost] = [2, 5];
/**
 * 10 codes: a third of the usual limit of a server, the rest is left to the agent's own checks. A purchase costs as much as a
 * code that no server knows, since the limit would otherwise tell the page which of them it had asked about.
 */
const maxCheckPointsPerMinute = 20;
/**
 * A page can tell when its chips change, and purchases, unknown codes and remembered answers take different times. An answer is
 * given at the first of these moments by which it has arrived, in milliseconds after its question.
 */
const answerMoments = [1000, 4000, 30_000];
/** For how long an answer is given again to pages that check by themselves, whatever it says. */
const rememberedMs = 5 * minuteMs;
/** Answers that are remembered; the first one is forgotten first. */
const maxRemembered = 500;

/**
 * Serves the ticket script. Its page may be hostile and its renderer compromised: nothing is trusted but its origin,
 * which the browser vouches for, and it learns only what its chips show of codes that it has named itself.
 */
export function createTickets(dependencies: TicketDependencies): Tickets {
  const { sites, scripts, panel, pendingTexts, browserMessages, now } = dependencies;
  const opens = createTabLimit(maxOpensPerMinute);
  const checks = createTabLimit(maxCheckPointsPerMinute);
  const codes = createDocumentCodes();
  /** Frames of a tab that ask at once share what one answer brings, such as the account check. */
  const oneByOne = createSerialQueue();
  /** The latest answer of each connection about each code. */
  const remembered = new Map<string, CheckReport>();

  let isLocked = dependencies.watchLock();

  /** No chip shows a verdict from before the keys were locked. */
  function forgetIfLocked(): void {
    if (!isLocked()) return;
    isLocked = dependencies.watchLock();
    codes.forgetReports();
    remembered.clear();
  }

  function remember(report: CheckReport): void {
    const name = nameOf(report);
    remembered.delete(name);
    if (!report.outcome.ok) return;
    remembered.set(name, report);
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
  }

  function recall(question: CheckRequest): CheckReport | undefined {
    const report = remembered.get(nameOf(question));
    return report && Math.abs(now() - report.checkedAt) < rememberedMs ? report : undefined;
  }

  const chip = (face: ChipFace): Chip => ({
    ...chipLooks[face],
    label: browserMessages(`chip_${face.replace('-', '_')}`),
    answered: isAnswer(face),
  });

  function verdictOn(reports: readonly CheckReport[], expected: ExpectedItem | undefined): Chip {
    const face = chipFaceOf(reports, now(), expected);
    const known = face === 'failed' ? lastKnownOf(reports, now()) : undefined;
    if (known !== undefined) {
      // The chip shows the age and no colour of a verdict, since the code could not be asked again.
      const { label, icon } = chip(chipFaceOf([known.report], now(), expected));
      return { ...chip(face), label, icon, until: ageOf(now() - known.at) };
    }
    const until = face === 'supported' ? supportedUntilOf(reports, now()) : undefined;
    return { ...chip(face), ...(until && { until: endOf(until) }) };
  }

  const languageTag = (): string => browserMessages('@@ui_locale').replaceAll('_', '-');

  /** Names the end of support by its month, Mar 2027, and a near one by its day, 28 Nov. */
  function endOf(at: number): string {
    return new Intl.DateTimeFormat(languageTag(), {
      month: 'short',
      [at - now() < nearMs ? 'day' : 'year']: 'numeric',
    }).format(at);
  }

  /** Says how long ago something was: 2 hr. ago */
  function ageOf(ms: number): string {
    const [size, unit] = ageUnits.find(([each]) => ms >= each) ?? ([minuteMs, 'minute'] as const);
    return new Intl.RelativeTimeFormat(languageTag(), { style: 'short', numeric: 'auto' }).format(
      -Math.floor(ms / size),
      unit,
    );
  }

  async function connectionIdsFor(code: string): Promise<string[]> {
    return connectionsFor(code, await dependencies.connections()).map(({ id }) => id);
  }

  /** Returns the points of a question about a code, before anything of its answer is known. */
  async function costOf(code: string): Promise<number> {
    const costs = connectionsFor(code, await dependencies.connections()).map(({ dialect }) =>
      dialect.proven ? provenCost : unprovenCost,
    );
    return Math.max(0, ...costs);
  }

  /** Asks one connection after the other until one knows the code. */
  async function checkEverywhere(
    code: string,
    { expectedItem }: Site,
  ): Promise<{ readonly reports: readonly CheckReport[]; readonly areKnown: boolean }> {
    const reports: CheckReport[] = [];
    let areKnown = true;
    const ids = await connectionIdsFor(code);
    const question = ids.length > 1 ? { id: crypto.randomUUID(), asked: ids } : undefined;
    for (const connectionId of ids) {
      const expectedItemId =
        expectedItem?.connectionId === connectionId ? expectedItem.itemId : undefined;
      const request = omitUndefined({
        code,
        connectionId,
        fresh: false,
        expectedItemId,
        question,
      });
      const known = recall(request);
      const report = known ?? (await dependencies.check(request));
      if (known === undefined) {
        areKnown = false;
        remember(report);
      }
      reports.push(report);
      if (purchaseIn(report.outcome) !== undefined) break;
    }
    return { reports, areKnown };
  }

  /** Resolves with what a task resolves with, at one of the moments that are the same for all. */
  async function atItsMoment<T>(task: () => Promise<T>): Promise<T> {
    const startedAt = now();
    const answer = await task();
    const taken = Math.max(0, now() - startedAt);
    const moment = answerMoments.find((each) => taken <= each);
    if (moment !== undefined) await dependencies.pause(moment - taken);
    return answer;
  }

  return {
    handlers: {
      'ticket.start': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site === undefined) return null;
        if (!(await scripts.add('view', asker.tabId, asker.frameId))) return null;
        const patterns = codePatternsOf(await dependencies.connections());
        return {
          automatic: site.automatic,
          origin: asker.origin,
          patterns,
          blank: chip('ask'),
          busy: chip('asking'),
        };
      },

      'ticket.finder': async (_body, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return false;
        if ((await sites.find(asker.origin)) === undefined) return false;
        return scripts.add('finder', asker.tabId, asker.frameId);
      },

      'ticket.open': ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script' || sites.isKnown(asker.origin) === false)
          return Promise.resolve(null);
        const { origin, tabId, windowId } = asker;
        if (!opens.take(tabId, now())) return Promise.resolve(null);
        // Before any await, or the click no longer counts. An empty panel reveals nothing.
        const shown = panel.open(windowId, 'message');
        return (async () => {
          if ((await sites.find(origin)) !== undefined) {
            // The panel asks what the chip has asked, so that both say the same.
            const known = codes.find(asker, code);
            const connectionIds = known?.connectionIds ?? (await connectionIdsFor(code));
            codes.add(known ?? { document: asker, code, connectionIds, reports: [] });
            await pendingTexts.leave({
              text: code,
              connectionIds,
              ticket: asker.url,
              at: now(),
              place: { windowId },
            });
          }
          await shown;
          return null;
        })();
      },

      'ticket.check': async ({ code }, _nonce, asker) => {
        if (asker.name !== 'ticket-script') return null;
        const site = await sites.find(asker.origin);
        if (site?.automatic !== true) return null;
        forgetIfLocked();
        const cost = await costOf(code);
        if (!checks.take(asker.tabId, now(), cost)) return null;
        const { reports, areKnown } = await atItsMoment(() =>
          oneByOne(`checks ${String(asker.tabId)}`, () => checkEverywhere(code, site)),
        );
        if (areKnown) checks.giveBack(asker.tabId, cost);
        const connectionIds = reports.map(({ connectionId }) => connectionId);
        codes.add({ document: asker, code, connectionIds, reports });
        return reports.length === 0 ? null : verdictOn(reports, site.expectedItem);
      },
    },

    async showReport(report) {
      forgetIfLocked();
      remember(report);
      for (const { document, code, reports } of codes.addReport(report)) {
        const site = await sites.find(document.origin);
        const shown = verdictOn(reports, site?.expectedItem);
        await scripts.send(
          { ticket: 'checked', code, chip: shown } satisfies TicketUpdate,
          document,
        );
      }
    },
  };
}

function nameOf({ connectionId, code }: Pick<CheckReport, 'connectionId' | 'code'>): string {
  return `${connectionId} ${code}`;
}

/** Limits how often each tab may do something, whichever of its frames asks. */
interface TabLimit {
  /** Counts so many points more, unless the tab would be over its limit; returns whether they counted. */
  take(tabId: number, now: number, points?: number): boolean;
  /** Takes points back that turned out to cost nothing. */
  giveBack(tabId: number, points: number): void;
}

/** Tabs that are remembered; the first one seen is forgotten first. */
const maxTabs = 200;

/**
 * Creates a limit over any 60 seconds for each tab. It lives in memory alone: a tab that floods the worker keeps the
 * worker, and so this count, from being stopped.
 */
export function createTabLimit(perMinute: number): TabLimit {
  const times = new Map<number, number[]>();
  return {
    take(tabId, now, points = 1) {
      const lately = (times.get(tabId) ?? []).filter((time) => now - time < 60_000 && time <= now);
      const may = lately.length + points <= perMinute;
      if (may) lately.push(...Array<number>(points).fill(now));
      if (!times.has(tabId) && times.size >= maxTabs) times.delete(times.keys().next().value ?? 0);
      times.set(tabId, lately);
      return may;
    },

    giveBack(tabId, points) {
      times.get(tabId)?.splice(-points);
    },
  };
}
