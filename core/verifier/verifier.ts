import type { Inspection } from '#core/license/inspect/inspection';
import { parsePublicKey } from '#core/license/keys/public-key';
import type { Ed25519Engine } from '#core/license/signature/ed25519';
import { chooseEngine } from '#core/license/signature/engines';
import type { DocumentSummary } from '#core/verifier/document-report';
import { judgeSource, summariseReport } from '#core/verifier/judge-source';
import { findLines } from '#core/verifier/token-list';
import type {
  Arrangement,
  JudgeContext,
  ReadableFile,
  SliceableFile,
  Source,
  VerifierReply,
  VerifierRequest,
} from '#core/verifier/verifier-request';

/** How many documents one worker has under way: more gains nothing, measured. */
const inFlight = 8;

/** How much of a list is read at once, in bytes; lines that take more are read alone. */
const maxReadBytes = 1024 * 1024;

/** Stands behind the pages: answers every question of a page, with one engine that is chosen once. */
export interface Verifier {
  answer<Q extends VerifierRequest>(question: Q): Promise<VerifierReply<Q>>;
}

export function createVerifier(): Verifier {
  const engine = chooseEngine();
  return {
    answer: async <Q extends VerifierRequest>(question: Q) =>
      (await answer(question, await engine)) as VerifierReply<Q>,
  };
}

async function answer(question: VerifierRequest, engine: Ed25519Engine): Promise<unknown> {
  switch (question.ask) {
    case 'arrange':
      return arrange(question.files, engine);
    case 'inspect':
      return judgeSource(question.source, question.context, engine);
    case 'inspect-many':
      return judgeMany(question.sources, question.context, engine);
    case 'read-key':
      return parsePublicKey(question.source);
  }
}

async function arrange(
  files: readonly SliceableFile[],
  engine: Ed25519Engine,
): Promise<Arrangement> {
  const [first, second, ...others] = files;
  if (first === undefined || others.length > 0) return { as: 'documents' };
  if (second === undefined) {
    const lines = await findLines(first);
    return lines === undefined ? { as: 'documents' } : { as: 'list', lines };
  }
  const isPair = await areLicenseWithCertificate([first, second], engine);
  return { as: isPair ? 'pair' : 'documents' };
}

async function judgeMany(
  asked: readonly Source[],
  context: JudgeContext,
  engine: Ed25519Engine,
): Promise<DocumentSummary[]> {
  const sources = await readTogether(asked);
  const summaries: DocumentSummary[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < sources.length; at = next++) {
      const source = sources[at];
      if (source !== undefined) summaries[at] = await judgeOne(source, context, engine);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return summaries;
}

/** Reads lines of one file that stand close together at once: a read for each costs more than its judgement. */
async function readTogether(sources: readonly Source[]): Promise<readonly Source[]> {
  const lines = sources.filter((source) => 'file' in source);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined || lines.length < sources.length) return sources;
  const { file, from: start } = first;
  if (last.to - start > maxReadBytes || lines.some((line) => line.file !== file)) return sources;
  const read = await file
    .slice(start, last.to)
    .arrayBuffer()
    .catch(() => undefined);
  if (read === undefined) return sources;
  const bytes = new Uint8Array(read);
  const decoder = new TextDecoder();
  return lines.map(({ from, to }) => ({
    text: decoder.decode(bytes.subarray(from - start, to - start)),
  }));
}

/** Judges one document for a table, and counts the signature checks that found no key for it. */
async function judgeOne(
  source: Source,
  context: JudgeContext,
  engine: Ed25519Engine,
): Promise<DocumentSummary> {
  let failed = 0;
  const counting: Ed25519Engine = {
    ...engine,
    async holds(publicKey, message, signature) {
      const holds = await engine.holds(publicKey, message, signature);
      if (!holds) failed += 1;
      return holds;
    },
  };
  const summary = summariseReport(await judgeSource(source, context, counting));
  return summary.standing === 'unverified' && failed > 0
    ? { ...summary, triedInVain: failed }
    : summary;
}

/** Tells whether of two files one holds a license alone and the other a certificate alone: they are one customer's, and judged as one document. */
async function areLicenseWithCertificate(
  files: readonly [ReadableFile, ReadableFile],
  engine: Ed25519Engine,
): Promise<boolean> {
  // What a document is does not depend on who signed it, nor on the moment.
  const context = { now: 0, keys: [], expected: {}, unreached: false };
  const contents = await Promise.all(
    files.map(async (file) => {
      const { inspection } = await judgeSource({ parts: [file] }, context, engine);
      return contentOf(inspection);
    }),
  );
  return contents.includes('license') && contents.includes('certificate');
}

function contentOf({
  license,
  certificate,
  others,
}: Inspection): 'license' | 'certificate' | 'other' {
  if (others.length > 0 || (license === undefined) === (certificate === undefined)) return 'other';
  return license === undefined ? 'certificate' : 'license';
}
