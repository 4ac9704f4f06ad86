import type { Inspection } from '#core/license/inspect/inspection';
import type { Ed25519Engine } from '#core/license/signature/ed25519';
import { judgeSource } from '#core/verifier/judge-source';
import type { ReadableFile } from '#core/verifier/verifier-request';

/** Tells whether of two files one holds a license alone and the other a certificate alone: they are one customer's, and judged as one document. */
export async function areLicenseWithCertificate(
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
