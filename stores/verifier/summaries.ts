import type { DocumentSummary, InspectionContext, Source, Verify } from '#core/verifier/index';

/** The summary of a document whose worker was lost. */
export const lostSummary: DocumentSummary = { standing: 'unverified', failed: [], warned: [] };

/**
 * Judges documents in one worker. If the worker is lost, because of one of them or another request, each document is
 * sent alone, and then once more. Only a document with which a worker is lost each time stays without an answer.
 * @returns a summary for each; fewer if the run has ended
 */
export async function summariesOf(
  verify: Verify,
  sources: readonly Source[],
  context: InspectionContext,
  isOver: () => boolean,
  retries = 2,
): Promise<(DocumentSummary | undefined)[]> {
  const summaries = await verify
    .ask({ ask: 'inspect-many', sources, context })
    .catch(() => undefined);
  if (summaries !== undefined) return summaries;
  if (retries === 0) return [undefined];
  const alone: (DocumentSummary | undefined)[] = [];
  for (const source of sources)
    if (!isOver())
      alone.push(...(await summariesOf(verify, [source], context, isOver, retries - 1)));
  return alone;
}
