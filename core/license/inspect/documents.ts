import {
  type Certificate,
  type CertificateParseFault,
  type License,
  type LicenseParseFault,
  parseDocument,
  type ParsedDocument,
} from '#core/license/document/document';
import type { Envelope } from '#core/license/document/envelope';
import type { SourceFault, TextRepair } from '#core/reading/index';
import {
  type Artifact,
  chooseReadings,
  findArtifacts,
  findInReadings,
  keyOf,
  type Sources,
  unique,
} from '#core/license/extract/find-artifacts';
import type { StatedFields } from '#core/license/extract/stated-fields';
import { omitUndefined, type Result } from '#core/result';
import {
  findSignerOf,
  type SignatureFault,
  type SignedBy,
  type VerifiedCertificate,
  type VerifiedLicense,
  verifyCertificate,
  type VerifyContext,
  verifyLicense,
} from '#core/license/verify';

/** Everything about a source that does not depend on the time: verified once, judged as often as needed. JSON-safe. */
export interface FoundDocuments {
  readonly licenses: readonly FoundLicense[];
  readonly certificates: readonly FoundCertificate[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  readonly fault?: SourceFault;
}

export interface Found<Content, Verified, Fault> {
  readonly raw: string;
  readonly where: string;
  /** See `Artifact`. */
  readonly holder?: string;
  readonly glued?: string;
  readonly verified?: Verified;
  /** The content, whether or not it is verified. */
  readonly says?: Content;
  readonly fault?: Fault | SignatureFault;
  /** Only for a document that cannot be read: who signed it, or why no key vouches for it, which outweighs `fault`. */
  readonly signer?: SignedBy;
  readonly signerFault?: SignatureFault;
}

export interface FoundLicense extends Found<License, VerifiedLicense, LicenseParseFault> {
  readonly kind: 'license';
}

export interface FoundCertificate extends Found<
  Certificate,
  VerifiedCertificate,
  CertificateParseFault
> {
  readonly kind: 'certificate';
}

export type FoundDocument = FoundLicense | FoundCertificate;

/**
 * Finds, parses and verifies the documents of a source. If a text has several readings, the one with the most verified
 * documents counts. Never rejects, whatever the source contains.
 */
export async function findDocuments(
  sources: Sources | SourceFault,
  context: VerifyContext,
): Promise<FoundDocuments> {
  if (typeof sources === 'object' && 'kind' in sources) {
    return { licenses: [], certificates: [], stated: {}, repairs: [], fault: sources };
  }
  const readings = findInReadings(sources);
  const all = unique(readings.flat().flatMap(({ artifacts }) => artifacts));
  const judged = new Map(
    await Promise.all(all.map(async (one) => [keyOf(one), await judge(one, context)] as const)),
  );
  const { artifacts, stated, repairs, fault } = chooseReadings(
    readings,
    (one) => judged.get(keyOf(one))?.verified !== undefined,
  );
  const found = artifacts.flatMap((artifact) => {
    const { where, holder, glued } = artifact;
    const document = judged.get(keyOf(artifact));
    return document === undefined
      ? []
      : [{ ...document, ...omitUndefined({ where, holder, glued }) }];
  });
  return omitUndefined({
    licenses: onceEach(found.filter((one) => one.kind === 'license')),
    certificates: onceEach(found.filter((one) => one.kind === 'certificate')),
    stated,
    repairs,
    fault,
  });
}

/**
 * Tells whether a source is just one license, or only certificates; `undefined` for anything else. Nothing is verified,
 * because a document's kind does not depend on its signer.
 */
export function kindOfSource(source: Sources): 'license' | 'certificate' | undefined {
  const kinds = new Map(
    findArtifacts(source).artifacts.map(({ written, raw, meant }) => [
      raw,
      parseDocument(written, meant).kind,
    ]),
  );
  const licenses = [...kinds.values()].filter((kind) => kind === 'license').length;
  if (licenses > 0) return licenses === 1 && kinds.size === 1 ? 'license' : undefined;
  return kinds.size > 0 ? 'certificate' : undefined;
}

/** Removes duplicates: a copy in a named member is preferred to a bare one, and that to one joined to other text. */
function onceEach<T extends FoundDocument>(documents: readonly T[]): T[] {
  const byText = new Map<string, T>();
  for (const document of documents) {
    const known = byText.get(document.raw);
    const isBetter = known?.holder === undefined && document.glued === undefined;
    if (known === undefined || isBetter) byText.set(document.raw, document);
  }
  return [...byText.values()];
}

type Judged = Omit<FoundLicense, 'where'> | Omit<FoundCertificate, 'where'>;

/** Judges a document. If no key vouches for it, one may vouch for it together with the text joined to its beginning. */
async function judge(artifact: Artifact, context: VerifyContext): Promise<Judged> {
  const { written, raw, meant, glued } = artifact;
  const parsed = parseDocument(written, meant);
  const judged: Judged =
    parsed.kind === 'license'
      ? { kind: 'license', raw, ...(await judgeParsed(parsed, verifyLicense, context)) }
      : { kind: 'certificate', raw, ...(await judgeParsed(parsed, verifyCertificate, context)) };
  if (glued === undefined || judged.verified !== undefined) return judged;
  const { glued: _, ...rest } = artifact;
  const whole = await judge({ ...rest, written: glued, raw: glued }, context);
  return whole.verified === undefined ? judged : whole;
}

async function judgeParsed<Content, Verified, Fault>(
  parsed: {
    readonly kind: 'license' | 'certificate';
    readonly document: Result<ParsedDocument<Content>, Fault>;
    readonly envelope?: Envelope;
  },
  verify: (
    document: ParsedDocument<Content>,
    context: VerifyContext,
  ) => Promise<Result<Verified, SignatureFault>>,
  context: VerifyContext,
): Promise<Omit<Found<Content, Verified, Fault>, 'raw' | 'where'>> {
  const { kind, document, envelope } = parsed;
  if (document.ok) {
    const verified = await verify(document.value, context);
    const says = document.value.content;
    return verified.ok ? { says, verified: verified.value } : { says, fault: verified.fault };
  }
  const { fault } = document;
  if (envelope === undefined) return { fault };
  const signer = await findSignerOf(envelope, kind, context);
  return signer.ok ? { fault, signer: signer.value } : { fault, signerFault: signer.fault };
}
