import {
  createRawReader,
  encodeText,
  hasByteOrderMark,
  type RawRecord,
  type TextEncodingName,
} from '#core/tables/index';
import {
  createEnricher,
  createOwnColumns,
  type Enrichment,
  type JobSource,
  type OwnColumns,
} from '#core/bulk/index';
import { encodingOf, headOf, readPieces } from '#stores/bulk/text-source';

export interface EnrichedFile {
  readonly content: readonly Uint8Array<ArrayBuffer>[];
  /** Whether it is UTF-8 because the source's encoding lacks a character that we write. */
  readonly isUtf8Instead: boolean;
}

/**
 * Writes a job's source with our columns appended, keeping its encoding and byte order mark. The source is read in
 * pieces.
 * @throws if the source cannot be read
 */
export async function enrichFile(
  { file, layout }: JobSource<Blob>,
  ours: Omit<Enrichment, 'layout' | 'width'>,
): Promise<EnrichedFile> {
  const encoding = await encodingOf(file);
  let width = 1;
  for await (const record of recordsOf(file, layout)) width = Math.max(width, record.cells.length);
  const enrichment = { ...ours, layout, width };
  const content = await write(
    file,
    enrichment,
    encoding,
    hasByteOrderMark(await headOf(file), encoding),
  );
  if (content !== undefined) return { content, isUtf8Instead: false };
  return {
    content: (await write(file, enrichment, 'utf-8', true)) ?? [],
    isUtf8Instead: true,
  };
}

/** Writes the file; undefined if the encoding lacks a character. */
async function write(
  file: Blob,
  enrichment: Enrichment,
  encoding: TextEncodingName,
  withMark: boolean,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
  const enrich = createEnricher(enrichment);
  const content: Uint8Array<ArrayBuffer>[] = [];
  let text = withMark ? '\uFEFF' : '';
  const flush = (): boolean => {
    const bytes = encodeText(text, encoding);
    if (bytes !== undefined) content.push(bytes);
    text = '';
    return bytes !== undefined;
  };
  for await (const record of recordsOf(file, enrichment.layout)) {
    text += enrich(record);
    if (text.length > flushLength && !flush()) return undefined;
  }
  return flush() ? content : undefined;
}

/** The length of text that is collected before it is encoded, in UTF-16 units. */
const flushLength = 262_144;

/**
 * Reads the columns of a job's file other than the codes.
 * @throws if the file cannot be read
 */
export async function readOwnColumns({ file, layout }: JobSource<Blob>): Promise<OwnColumns> {
  const own = createOwnColumns(layout);
  for await (const record of recordsOf(file, layout)) own.add(record.cells);
  return own.end();
}

async function* recordsOf(
  file: Blob,
  { delimiter }: Enrichment['layout'],
): AsyncGenerator<RawRecord> {
  const reader = createRawReader(delimiter);
  for await (const { text } of readPieces(file)) yield* reader.push(text);
  yield* reader.end();
}
