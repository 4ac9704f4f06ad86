import {
  type Certificate,
  type CertificateParseFault,
  type License,
  type LicenseParseFault,
  parseDocument,
  type DocumentOfKind,
} from '#core/license/document/document';
import type { Envelope } from '#core/license/document/envelope';
import type { SourceFault, TextRepair } from '#core/reading/index';
import {
  type Artifact,
  findArtifacts,
  findInReadings,
  type FoundArtifacts,
  keyOf,
  mergeFound,
  type Sources,
  sourcesOf,
  type StatedFields,
} from '#core/license/extract/find-artifacts';
import type { Encoding } from '#core/keys/index';
import { omitUndefined } from '#core/result';
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

/** Holds everything about a source that does not depend on the moment: verified once, judged as often as needed. JSON-safe. */
export interface FoundDocuments {
  readonly licenses: readonly FoundLicense[];
  readonly certificates: readonly FoundCertificate[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  readonly fault?: SourceFault;
}

interface Found {
  readonly raw: string;
  readonly where: string;
  /** See `Artifact`. */
  readonly holder?: string;
  readonly isGlued?: true;
  /** Only for a document that cannot be read: who signed it, or why no key vouches for it. */
  readonly signer?: SignedBy;
  readonly signerFault?: SignatureFault;
}

export interface FoundLicense extends Found {
  readonly verified?: VerifiedLicense;
  /** The content, whether or not it is believed. */
  readonly says?: License;
  readonly fault?: LicenseParseFault | SignatureFault;
}

export interface FoundCertificate extends Found {
  readonly verified?: VerifiedCertificate;
  readonly says?: Certificate;
  readonly encoding?: Encoding;
  readonly fault?: CertificateParseFault | SignatureFault;
}

/**
 * Finds, parses and verifies the documents of a source. Of several readings of a text, the one counts whose documents the pinned
 * keys verify most often. Never rejects, whatever the source holds.
 */
export async function findDocuments(
  sources: Sources | SourceFault,
  context: VerifyContext,
): Promise<FoundDocuments> {
  if (typeof sources === 'object' && 'kind' in sources) {
    return { licenses: [], certificates: [], stated: {}, repairs: [], fault: sources };
  }
  const known = new Map<string, Promise<VerifiedArtifact>>();
  const verify = (artifact: Artifact): Promise<VerifiedArtifact> => {
    const key = keyOf(artifact);
    const verified = known.get(key) ?? verifyArtifact(artifact, context);
    known.set(key, verified);
    return verified;
  };
  const read = await Promise.all(
    sourcesOf(sources).map((source, part) => bestReading(findInReadings(source, part), verify)),
  );
  const { artifacts, stated, repairs, fault } = mergeFound(read);
  const found = await Promise.all(
    artifacts.map(async (artifact) => placed(await verify(artifact), artifact)),
  );
  const licenses = found.flatMap(({ license }) => license ?? []);
  const certificates = found.flatMap(({ certificate }) => certificate ?? []);
  return omitUndefined({
    licenses: unique(licenses),
    certificates: unique(certificates),
    stated,
    repairs,
    fault,
  });
}

/**
 * Tells whether a source holds one license alone, or certificates alone; `undefined` for anything else. Nothing is verified:
 * what a document is does not depend on who signed it.
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

/** Chooses among the readings of one source; genuine documents of another reading are added to its own. */
async function bestReading(
  readings: Iterable<FoundArtifacts>,
  verify: (artifact: Artifact) => Promise<VerifiedArtifact>,
): Promise<FoundArtifacts> {
  const judged = await Promise.all(
    Array.from(readings, async (found) => {
      const verified = await Promise.all(found.artifacts.map(verify));
      const genuine = found.artifacts.filter((_, at) => {
        const { license, certificate } = verified[at] ?? {};
        return (license ?? certificate)?.verified !== undefined;
      });
      const documents = found.artifacts.filter(({ isDocument }) => isDocument).length;
      return { found, genuine, documents };
    }),
  );
  const [best] = judged.toSorted(
    (a, b) => b.genuine.length - a.genuine.length || b.documents - a.documents,
  );
  if (best === undefined) return { artifacts: [], stated: {}, repairs: [] };
  const own = new Set(best.found.artifacts.map(({ raw }) => raw));
  const more = judged.flatMap(({ genuine }) => genuine).filter(({ raw }) => !own.has(raw));
  return more.length === 0
    ? best.found
    : { ...best.found, artifacts: [...best.found.artifacts, ...more] };
}

/** Puts what was verified once in another place of the source. */
function placed(one: VerifiedArtifact, { where, holder, isGlued }: Artifact): VerifiedArtifact {
  const place = omitUndefined({ where, holder, isGlued });
  const { license, certificate } = one;
  if (license !== undefined) return { license: { ...license, ...place } };
  return certificate === undefined ? {} : { certificate: { ...certificate, ...place } };
}

/** Keeps one of each document; the copy that stands in a place of its own says more than a bare one. */
function unique<T extends Found>(documents: readonly T[]): T[] {
  const byText = new Map<string, T>();
  for (const document of documents) {
    const known = byText.get(document.raw);
    if (known?.holder === undefined) byText.set(document.raw, document);
  }
  return [...byText.values()];
}

interface VerifiedArtifact {
  readonly license?: FoundLicense;
  readonly certificate?: FoundCertificate;
}

async function verifyArtifact(
  artifact: Artifact,
  context: VerifyContext,
): Promise<VerifiedArtifact> {
  const { written, raw, where, meant } = artifact;
  const parsed = parseDocument(written, meant);
  const found = { raw, where };
  return parsed.kind === 'license'
    ? { license: { ...found, ...(await verifyFoundLicense(parsed, context)) } }
    : { certificate: { ...found, ...(await verifyFoundCertificate(parsed, context)) } };
}

type ParsedOf<Kind> = Extract<DocumentOfKind, { kind: Kind }>;

async function verifyFoundLicense(
  { document, envelope }: ParsedOf<'license'>,
  context: VerifyContext,
): Promise<Omit<FoundLicense, keyof Artifact>> {
  if (!document.ok) {
    return { fault: document.fault, ...(await signerOf(envelope, 'license', context)) };
  }
  const verified = await verifyLicense(document.value, context);
  const says = document.value.content;
  return verified.ok ? { says, verified: verified.value } : { says, fault: verified.fault };
}

async function verifyFoundCertificate(
  { document, envelope }: ParsedOf<'certificate'>,
  context: VerifyContext,
): Promise<Omit<FoundCertificate, keyof Artifact>> {
  const encoding = envelope === undefined ? {} : { encoding: envelope.encoding };
  if (!document.ok) {
    const signer = await signerOf(envelope, 'certificate', context);
    return { ...encoding, fault: document.fault, ...signer };
  }
  const verified = await verifyCertificate(document.value, context);
  const says = document.value.content;
  return verified.ok
    ? { ...encoding, says, verified: verified.value }
    : { ...encoding, says, fault: verified.fault };
}

async function signerOf(
  envelope: Envelope | undefined,
  kind: 'license' | 'certificate',
  context: VerifyContext,
): Promise<Pick<Found, 'signer' | 'signerFault'>> {
  if (envelope === undefined) return {};
  const signer = await findSignerOf(envelope, kind, context);
  return signer.ok ? { signer: signer.value } : { signerFault: signer.fault };
}
