import { shallowReactive } from 'vue';

import { rememberForm } from '#core/key-ring/ring';
import type { SignedFormSeen } from '#core/license/inspect/inspection';
import type { DocumentReport, JudgeContext, Source } from '#core/verifier/verifier-request';
import { latest, type LatestSeries } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';

/** Holds one document on the page with its newest report. */
export interface OpenedDocument {
  readonly id: number;
  /** The file's name, as it came; absent for pasted text. */
  readonly name: string | undefined;
  readonly source: Source;
  report: DocumentReport | undefined;
  /** When it was judged, epoch milliseconds. */
  judgedAt: number;
  /** The moment chosen on the timeline, epoch milliseconds; undefined for the present. */
  moment: number | undefined;
  busy: boolean;
  /** Whether the worker was lost over it. */
  lost: boolean;
}

export interface OpenedDocumentJudge {
  /** Opens a document and begins to judge it. */
  open(name: string | undefined, source: Source): OpenedDocument;
  /** Judges a document anew; only the newest judgement is shown. */
  judge(document: OpenedDocument): void;
  /** Waits for the judgement under way and for those that replace it meanwhile. */
  settled(document: OpenedDocument): Promise<void>;
  /** @param moment epoch milliseconds; without it, the present */
  contextAt(moment?: number): Promise<JudgeContext>;
}

interface Judging {
  readonly series: LatestSeries;
  running: Promise<void>;
}

/**
 * Judges opened documents in verify workers, and remembers in the key ring which form each key signs.
 * Call it in a store's setup.
 * @param compared what the documents are compared with, at the moment of judging
 */
export function createOpenedDocumentJudge(
  compared: () => Pick<JudgeContext, 'expected' | 'unreached' | 'answers'>,
): OpenedDocumentJudge {
  const verify = usePort(verifyPort);
  const ring = usePort(keyRingPort);
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const judgings = new WeakMap<OpenedDocument, Judging>();
  let lastId = 0;

  async function contextAt(moment?: number): Promise<JudgeContext> {
    const present = clock();
    // The ring is read each time, so that a key revoked in another window does not count here.
    const [latestSeen, keys] = await Promise.all([clockMemory.note(present), ring.read()]);
    return {
      now: moment ?? present,
      // Asking about another moment is not a clock that was turned back.
      ...(moment === undefined && { latestSeen }),
      keys,
      ...compared(),
    };
  }

  async function judgeOnce(document: OpenedDocument, series: LatestSeries): Promise<void> {
    const { isLatest } = series.begin();
    const { moment, source } = document;
    document.busy = true;
    const context = await contextAt(moment);
    const report = await verify.ask({ ask: 'inspect', source, context }).catch(() => undefined);
    if (!isLatest()) return;
    document.busy = false;
    document.report = report;
    document.lost = report === undefined;
    if (report === undefined) return;
    if (moment === undefined) document.judgedAt = context.now;
    void rememberForms(report.inspection.forms, context);
  }

  async function rememberForms(
    forms: readonly SignedFormSeen[],
    { keys: known }: JudgeContext,
  ): Promise<void> {
    const fresh = forms.filter(({ key, document }) =>
      known.some(({ id, remembered }) => id === key && remembered?.[document] === undefined),
    );
    if (fresh.length === 0) return;
    await ring.change((present) =>
      fresh.reduce<readonly (typeof present)[number][]>(
        (keys, { key, document, form }) => rememberForm(keys, key, document, form),
        present,
      ),
    );
  }

  function judge(document: OpenedDocument): void {
    const series = judgings.get(document)?.series ?? latest();
    judgings.set(document, { series, running: judgeOnce(document, series) });
  }

  return {
    contextAt,
    judge,
    open(name, source) {
      const document = shallowReactive<OpenedDocument>({
        id: (lastId += 1),
        name,
        source,
        report: undefined,
        judgedAt: clock(),
        moment: undefined,
        busy: true,
        lost: false,
      });
      judge(document);
      return document;
    },
    async settled(document) {
      for (let seen: Promise<void> | undefined; seen !== judgings.get(document)?.running;) {
        seen = judgings.get(document)?.running;
        await seen;
      }
    },
  };
}
