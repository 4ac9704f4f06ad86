import type { Ed25519Engine } from '#core/license/signature/ed25519';
import { decodeSource } from '#core/license/encoding/decode-source';
import { examine, type Examined } from '#core/license/inspect/examine';
import { inspect } from '#core/license/inspect/inspect';
import type { CheckId } from '#core/license/inspect/inspection';
import { fileLimitBytes, type SourceFault } from '#core/license/encoding/source-fault';
import type { JudgeContext, Source } from '#core/verifier/verifier-request';
import type { DocumentReport, DocumentSummary } from '#core/verifier/document-report';

/**
 * Judges one source. Sizes are judged before anything is read; nothing that is read makes it throw.
 * @param source files of at most 256 KiB each; a larger one is the fault `too-large`, and no file is read then
 */
export async function judgeSource(
  source: Source,
  context: JudgeContext,
  engine: Ed25519Engine,
): Promise<DocumentReport> {
  const texts = await readParts(source);
  if (!Array.isArray(texts)) return { inspection: inspect(nothing(texts), context) };
  const examined = await examine(texts, { keys: context.keys, engine });
  const inspection = inspect(examined, context);
  const { license, certificate, sourceFault } = inspection;
  if (license !== undefined || certificate !== undefined || sourceFault !== undefined)
    return { inspection };
  const purchaseCode = texts.map(codeIn).find((code) => code !== undefined);
  return { inspection, ...(purchaseCode !== undefined && { purchaseCode }) };
}

async function readParts(source: Source): Promise<(string | Uint8Array)[] | SourceFault> {
  if ('text' in source) return [source.text];
  const parts = 'parts' in source ? source.parts : [source.file.slice(source.from, source.to)];
  const read: Uint8Array[] = [];
  if (parts.some(({ size }) => size > fileLimitBytes)) {
    return { kind: 'too-large', limitBytes: fileLimitBytes };
  }
  for (const file of parts) {
    // A file that has been moved away since, or a folder in its place.
    const bytes = await file.arrayBuffer().catch(() => new ArrayBuffer(0));
    read.push(new Uint8Array(bytes));
  }
  return read;
}

function nothing(fault: SourceFault): Examined {
  return { licenses: [], certificates: [], stated: {}, repairs: [], fault };
}

/** Finds a purchase code of the common form alone: what else may be a code is the check's affair. An installation id looks the same. */
function codeIn(source: string | Uint8Array): string | undefined {
  const decoded = decodeSource(source);
  if (!decoded.ok || /installation/i.test(decoded.value.text)) return undefined;
  return /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/i.exec(
    decoded.value.text,
  )?.[0];
}

/** Shortens a report for a table's row. Takes facts from genuine documents alone. */
export function summariseReport({ inspection }: DocumentReport): DocumentSummary {
  const { standing, headline, checks, others } = inspection;
  const license = inspection.license?.genuine === true ? inspection.license.says : undefined;
  const certificate =
    inspection.certificate?.genuine === true ? inspection.certificate.says : undefined;
  const domain = certificate?.domain ?? license?.domain;
  const product = license?.productSlug ?? certificate?.productSlug;
  const licenseId = license?.licenseId ?? certificate?.licenseId;
  const ended = (outcome: 'fail' | 'warn'): CheckId[] =>
    checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
  return {
    standing,
    headline,
    failed: ended('fail'),
    warned: ended('warn'),
    ...(domain !== undefined && { domain }),
    ...(product !== undefined && { product }),
    ...(licenseId !== undefined && { licenseId }),
    ...(others.length > 0 && { others: others.length }),
  };
}
