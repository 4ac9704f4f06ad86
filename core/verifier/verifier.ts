import { decodeSource, fileLimitBytes, type SourceFault } from '#core/reading/index';
import { type Check, inspectText, type Inspection, kindOfSource } from '#core/license/index';
import { parsePublicKey } from '#core/keys/index';
import { chooseEngine, type Ed25519Engine } from '#core/keys/ed25519';
import { omitUndefined } from '#core/result';
import type {
  DocumentFacts,
  DocumentReport,
  DocumentSummary,
  InspectionContext,
  ListLines,
  OpenedFiles,
  SliceableFile,
  Source,
  VerifierReply,
  VerifierRequest,
} from '#core/verifier/verifier-request';

/** How many documents one worker inspects concurrently. Measured: more gains nothing. */
const inFlight = 8;

/** How much of a list is read at once, in bytes; longer lines are read separately. */
const maxReadBytes = 1024 * 1024;

/** Answers every request of a page with one engine, which is chosen once. */
export interface Verifier {
  answer<Q extends VerifierRequest>(request: Q): Promise<VerifierReply<Q>>;
}

export function createVerifier(): Verifier {
  const engine = chooseEngine();
  return {
    answer: async <Q extends VerifierRequest>(request: Q) =>
      (await answer(request, await engine)) as VerifierReply<Q>,
  };
}

async function answer(request: VerifierRequest, engine: Ed25519Engine): Promise<unknown> {
  switch (request.ask) {
    case 'open':
      return openFiles(request.files, request.context, engine);
    case 'inspect':
      return inspectSource(request.source, request.context, engine);
    case 'inspect-many':
      return inspectMany(request.sources, request.context, engine);
    case 'read-key':
      return parsePublicKey(request.source);
  }
}

/** Reads each file once. Two files that are a customer's license and certificate are inspected as one document. */
async function openFiles(
  files: readonly SliceableFile[],
  context: InspectionContext,
  engine: Ed25519Engine,
): Promise<OpenedFiles> {
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) {
    // A file that no longer exists is not a list; its report says that it is gone.
    const lines = await findLines(first).catch(() => undefined);
    if (lines !== undefined) return { as: 'list', lines };
  }
  const read = await Promise.all(files.map((file) => readSource({ parts: [file] })));
  const texts = read.flatMap((parts) => (Array.isArray(parts) ? parts : []));
  if (files.length === 2 && texts.length === 2) {
    const kinds = texts.map(kindOfSource);
    if (kinds.includes('license') && kinds.includes('certificate'))
      return { as: 'pair', reports: [await inspectRead(texts, context, engine)] };
  }
  const reports = await Promise.all(read.map((parts) => inspectRead(parts, context, engine)));
  return { as: 'documents', reports };
}

async function inspectMany(
  asked: readonly Source[],
  context: InspectionContext,
  engine: Ed25519Engine,
): Promise<DocumentSummary[]> {
  const sources = await readTogether(asked);
  const summaries: DocumentSummary[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < sources.length; at = next++) {
      const source = sources[at];
      if (source !== undefined) summaries[at] = await inspectForTable(source, context, engine);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return summaries;
}

/** Reads neighbouring lines of a file together, because reading each separately costs more than inspecting it. */
async function readTogether(sources: readonly Source[]): Promise<readonly (Source | Uint8Array)[]> {
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
  return lines.map(({ from, to }) => bytes.subarray(from - start, to - start));
}

/** Inspects one document for a table, and counts the signature checks that found no key for it. */
async function inspectForTable(
  source: Source | Uint8Array,
  context: InspectionContext,
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
  const summary = summariseReport(await inspectRead(await readSource(source), context, counting));
  return summary.standing === 'unverified' && failed > 0
    ? { ...summary, triedInVain: failed }
    : summary;
}

/**
 * Inspects one source. Sizes are checked before anything is read. Never throws, whatever the source contains.
 * @param source files of at most 256 KiB each; a larger one is the fault `too-large`, and no file is read then
 */
export async function inspectSource(
  source: Source,
  context: InspectionContext,
  engine: Ed25519Engine,
): Promise<DocumentReport> {
  return inspectRead(await readSource(source), context, engine);
}

async function inspectRead(
  read: readonly (string | Uint8Array)[] | SourceFault,
  context: InspectionContext,
  engine: Ed25519Engine,
): Promise<DocumentReport> {
  const inspection = await inspectText(read, { ...context, engine });
  const { license, certificate, sourceFault } = inspection;
  if (
    'kind' in read ||
    license !== undefined ||
    certificate !== undefined ||
    sourceFault !== undefined
  )
    return { inspection };
  const purchaseCode = read.map(codeIn).find((code) => code !== undefined);
  return omitUndefined({ inspection, purchaseCode });
}

async function readSource(
  source: Source | Uint8Array,
): Promise<(string | Uint8Array)[] | SourceFault> {
  if (source instanceof Uint8Array) return [source];
  if ('text' in source) return [source.text];
  const parts = 'parts' in source ? source.parts : [source.file.slice(source.from, source.to)];
  if (parts.some(({ size }) => size > fileLimitBytes)) {
    return { kind: 'too-large', limitBytes: fileLimitBytes };
  }
  const read: Uint8Array[] = [];
  for (const file of parts) {
    // The file may have been moved since, or a folder may be in its place.
    const bytes = await file.arrayBuffer().catch(() => new ArrayBuffer(0));
    read.push(new Uint8Array(bytes));
  }
  return read;
}

/**
 * Finds a purchase code, only in the common form; other forms are left to the check. An installation id looks the same.
 */
function codeIn(source: string | Uint8Array): string | undefined {
  const decoded = decodeSource(source);
  if (!decoded.ok || /installation/i.test(decoded.value.text)) return undefined;
  return /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/i.exec(
    decoded.value.text,
  )?.[0];
}

/** Shortens a report for a table's row. Facts come only from genuine documents; unproven ones are kept separately. */
export function summariseReport({ inspection }: DocumentReport): DocumentSummary {
  const { standing, headline, checks, others } = inspection;
  const { domain, product, licenseId } = factsIn(inspection, true);
  const unproven = headline.tone === 'unknown' ? factsIn(inspection, false) : {};
  const ended = (outcome: 'fail' | 'warn'): Check['id'][] =>
    checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
  return omitUndefined({
    standing,
    headline,
    failed: ended('fail'),
    warned: ended('warn'),
    domain,
    product,
    licenseId,
    ...(Object.keys(unproven).length > 0 && { unproven }),
    ...(others.length > 0 && { others: others.length }),
  });
}

function factsIn({ license, certificate }: Inspection, genuine: boolean): DocumentFacts {
  const licensed = license?.genuine === genuine ? license.says : undefined;
  const certified = certificate?.genuine === genuine ? certificate.says : undefined;
  return omitUndefined({
    domain: certified?.domain ?? licensed?.domain,
    product: licensed?.productSlug ?? certified?.productSlug,
    licenseId: licensed?.licenseId ?? certified?.licenseId,
    expiresAt: licensed?.expiresAt,
    nextValidationAt: certified?.nextValidationAt,
  });
}

/** The largest file that is read as a list, in bytes. */
const maxListBytes = 32 * 1024 * 1024;

/** A smaller file, in bytes, is not a list and is not even read for one. */
const minListBytes = 4096;

/** A file with fewer documents is one license with its certificates, not a list. */
const minLines = 9;

/** How much of a file, in bytes, is examined to decide whether it is a list. */
const headBytes = 64 * 1024;

const lineFeed = 10;
const space = 32;

/**
 * Finds the lines of a file that has a token or a JSON object on each line.
 * @returns undefined for any other file; then no more than its first 64 KiB is read
 * @throws the error of reading, if the file is gone
 */
export async function findLines(file: SliceableFile): Promise<ListLines | undefined> {
  if (file.size > maxListBytes || file.size < minListBytes) return undefined;
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (!isHeadOfList(new TextDecoder().decode(head), file.size > headBytes)) return undefined;
  return linesOf(new Uint8Array(await file.arrayBuffer()));
}

/** @param isCut whether the last line may be cut off in the middle */
function isHeadOfList(head: string, isCut: boolean): boolean {
  const lines = head.split('\n').map((line) => line.trim());
  if (isCut) lines.pop();
  const full = lines.filter((line) => line !== '');
  return full.length >= minLines && full.slice(0, 50).every(isDocumentLine);
}

function isDocumentLine(line: string): boolean {
  return (
    /^["']?[\w-]{8,}=*\.[\w-]{80,}=*(?:\.[\w-]{80,})?["']?[,;]?$/u.test(line) ||
    (line.startsWith('{') && line.replace(/,$/u, '').endsWith('}'))
  );
}

function linesOf(bytes: Uint8Array): ListLines {
  const ranges: number[] = [];
  let number = 0;
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(lineFeed, from);
    const to = found < 0 ? bytes.length : found;
    number += 1;
    if (bytes.subarray(from, to).some((byte) => byte > space)) ranges.push(number, from, to);
    from = to + 1;
  }
  return { count: ranges.length / 3, ranges: Uint32Array.from(ranges) };
}
