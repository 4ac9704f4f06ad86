import { edgeCases, type EdgeCase } from '#core/keys/edge-cases';
import { type Ed25519Engine, answers } from '#core/keys/ed25519';
import { rfc8032Vectors } from '#tests/core/keys/rfc-8032-vectors';

export interface SelfTestRow {
  readonly id: string;
  /** `rfc-8032`: a published vector. `crafted`: a case of our own, see `edgeCases`. */
  readonly source: 'rfc-8032' | 'crafted';
  readonly expected: boolean;
  readonly answered: boolean;
}

/**
 * Asks this engine about every published vector and crafted case. All is well when `answered` is `expected` in each
 * row.
 */
export async function runSelfTest(engine: Ed25519Engine): Promise<SelfTestRow[]> {
  const row = async (edge: EdgeCase, source: SelfTestRow['source']): Promise<SelfTestRow> => ({
    id: edge.id,
    source,
    expected: edge.valid,
    answered: await answers(edge, engine),
  });
  return Promise.all([
    ...rfc8032Vectors.map((edge) => row(edge, 'rfc-8032')),
    ...edgeCases.map((edge) => row(edge, 'crafted')),
  ]);
}
