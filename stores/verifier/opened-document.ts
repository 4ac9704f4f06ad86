import { defineStore } from 'pinia';
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue';

import type { Expected, SignedFormSeen } from '#core/license/inspect/inspection';
import { rememberForm } from '#core/key-ring/ring';
import type { DocumentReport } from '#core/verifier/document-report';
import type { JudgeContext, Source } from '#core/verifier/verifier-request';
import { useClock } from '#stores/clock';
import { latest, type LatestSeries } from '#stores/latest';
import { clockPort, usePort } from '#stores/ports';
import type { BatchRow, NamedFile } from '#stores/verifier/batch';
import { useBatch } from '#stores/verifier/batch';
import { useVerifierKeys } from '#stores/verifier/keys';
import { isList } from '#stores/verifier/token-list';
import type { SharedContent } from '#stores/verifier/ports';
import { clockMemoryPort, keyRingPort, verifyPort } from '#stores/verifier/ports';

/** One document on the page, and what was said of it last. */
export interface OpenedDocument {
  readonly id: number;
  /** The file's name, as it came; absent for pasted text. */
  readonly name: string | undefined;
  readonly source: Source;
  report: DocumentReport | undefined;
  /** When it was judged, epoch milliseconds. */
  judgedAt: number;
  /** The moment asked about with the timeline's handle; absent: the present. */
  asked: number | undefined;
  busy: boolean;
  /** The worker was lost over it. */
  lost: boolean;
}

/** With more documents than this they become a table. */
const mostCards = 100;

/** While text is being typed, it is judged when the typing pauses, milliseconds. */
const pause = 150;

/** What is open: a few documents as cards, or many as a table; and what they are compared with. */
export const useOpenedDocument = defineStore('verifier-opened', () => {
  const verify = usePort(verifyPort);
  const ring = usePort(keyRingPort);
  const clock = usePort(clockPort);
  const clockMemory = usePort(clockMemoryPort);
  const batch = useBatch();
  const keys = useVerifierKeys();
  const moment = useClock();

  const documents = shallowRef<OpenedDocument[]>([]);
  const expected = ref<Required<Expected>>({ domain: '', productSlug: '', installationId: '' });
  const unreached = ref(false);
  const text = ref('');
  /** More files were handed over than are opened at once. */
  const cut = ref(false);
  const busy = computed(() => documents.value.some((document) => document.busy));
  const openings = latest();
  const judgements = new WeakMap<OpenedDocument, LatestSeries>();
  const judging = new WeakMap<OpenedDocument, Promise<void>>();
  let last = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  function open(name: string | undefined, source: Source): OpenedDocument {
    const document = shallowReactive<OpenedDocument>({
      id: (last += 1),
      name,
      source,
      report: undefined,
      judgedAt: clock(),
      asked: undefined,
      busy: true,
      lost: false,
    });
    judgements.set(document, latest());
    judge(document);
    return document;
  }

  /** Reads the ring anew, so that a key revoked elsewhere does not count here. */
  async function contextAt(asked: number | undefined): Promise<JudgeContext> {
    const present = clock();
    const [latestSeen, pinned] = await Promise.all([clockMemory.note(present), ring.read()]);
    return {
      now: asked ?? present,
      // A moment asked about is no clock that was turned back.
      ...(asked === undefined && { latestSeen }),
      keys: pinned,
      expected: { ...expected.value },
      unreached: unreached.value,
    };
  }

  function judge(document: OpenedDocument): void {
    judging.set(document, judgeOnce(document));
  }

  async function judgeOnce(document: OpenedDocument): Promise<void> {
    const request = judgements.get(document)?.begin();
    const { asked } = document;
    document.busy = true;
    const context = await contextAt(asked);
    try {
      const report = await verify.ask({ ask: 'inspect', source: document.source, context });
      if (request?.isLatest() !== true) return;
      document.report = report;
      document.judgedAt = asked === undefined ? context.now : document.judgedAt;
      document.lost = false;
      void remember(report.inspection.forms, context);
    } catch {
      if (request?.isLatest() !== true) return;
      document.report = undefined;
      document.lost = true;
    }
    document.busy = false;
  }

  async function remember(
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

  function openFiles(files: readonly NamedFile[], wereMore = false): void {
    clearTimeout(typing);
    cut.value = wereMore;
    text.value = '';
    void choose(files);
  }

  async function choose(files: readonly NamedFile[]): Promise<void> {
    const [only, second, ...rest] = files;
    if (only === undefined) return;
    const { isLatest } = openings.begin();
    const asList = second === undefined && (await isList(only.file).catch(() => false));
    if (!isLatest()) return;
    if (asList || files.length > mostCards) {
      documents.value = [];
      const context = await contextAt(undefined);
      if (!isLatest()) return;
      await (asList ? batch.openList(only, context) : batch.openFiles(files, context));
    } else {
      batch.clear();
      documents.value = files.map(({ name, file }) => open(name, { parts: [file] }));
      if (second !== undefined && rest.length === 0) await readTogether(only, second);
    }
  }

  /** A license and a certificate in files of their own are one customer's: they are judged as one. */
  async function readTogether(first: NamedFile, second: NamedFile): Promise<void> {
    const apart = documents.value;
    for (const document of apart) await settled(document);
    const found = apart.map(({ report }) => report?.inspection);
    const alone = found.map((inspection) =>
      inspection === undefined || inspection.others.length > 0
        ? 'other'
        : inspection.license === undefined
          ? inspection.certificate === undefined
            ? 'other'
            : 'certificate'
          : inspection.certificate === undefined
            ? 'license'
            : 'other',
    );
    if (documents.value !== apart || !alone.includes('license') || !alone.includes('certificate'))
      return;
    documents.value = [
      open(`${first.name} + ${second.name}`, { parts: [first.file, second.file] }),
    ];
  }

  /** Waits for the judgement under way, and for those that take its place meanwhile. */
  async function settled(document: OpenedDocument): Promise<void> {
    for (let running: Promise<void> | undefined; running !== judging.get(document);) {
      running = judging.get(document);
      await running;
    }
  }

  function openText(pasted: string): void {
    clearTimeout(typing);
    openings.cancel();
    cut.value = false;
    batch.clear();
    text.value = pasted;
    documents.value = pasted.trim() === '' ? [] : [open(undefined, { text: pasted })];
  }

  function openParcel({ text: shared, files }: SharedContent): void {
    const opened = files.map(({ name, content }) => ({
      name,
      file: new File(content === undefined ? [] : [content], name),
    }));
    if (opened.length > 0) openFiles(opened);
    else openText(shared);
  }

  /** What stands in the text field, now. */
  function inspectText(): void {
    if (text.value.trim() !== '') openText(text.value);
  }

  /** One row of the table as a document of its own. */
  function openRow({ name, file, from, to }: BatchRow): OpenedDocument {
    return open(name, { parts: [from === undefined ? file : file.slice(from, to)] });
  }

  /** Asks about another moment; `undefined` is the present. */
  function ask(document: OpenedDocument, asked: number | undefined): void {
    document.asked = asked;
    judge(document);
  }

  /** After the agent's word that the clock was wrong. */
  async function trustClock(): Promise<void> {
    await clockMemory.reset(clock());
    judgeAgain();
  }

  function judgeAgain(): void {
    for (const document of documents.value) judge(document);
  }

  watch([expected, unreached, () => keys.list, () => moment.present], judgeAgain, { deep: true });
  watch(text, (typed) => {
    clearTimeout(typing);
    const [document] = documents.value;
    if (document !== undefined && 'text' in document.source && document.source.text === typed)
      return;
    if (typed.trim() === '') {
      if (document !== undefined && 'text' in document.source) documents.value = [];
      return;
    }
    typing = setTimeout(inspectText, pause);
  });

  return {
    documents,
    expected,
    unreached,
    text,
    cut,
    busy,
    openFiles,
    openText,
    openParcel,
    openRow,
    inspectText,
    ask,
    trustClock,
  };
});
