import {
  type Artifact,
  findArtifacts,
  type FoundArtifacts,
} from '#core/license/extract/find-artifacts';
import type { Certificate } from '#core/license/document/certificate';
import {
  type CertificateParseFault,
  type LicenseParseFault,
  type ParsedDocument,
  parseDocument,
} from '#core/license/document/document';
import type { Envelope } from '#core/license/document/envelope';
import type { StatedFields } from '#core/license/extract/stated-fields';
import type { License } from '#core/license/document/license';
import type { Encoding } from '#core/license/keys/pinned-key';
import type { TextRepair } from '#core/license/extract/repair';
import type { SourceFault } from '#core/license/encoding/source-fault';
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
export interface Examined {
  readonly licenses: readonly ExaminedLicense[];
  readonly certificates: readonly ExaminedCertificate[];
  readonly stated: StatedFields;
  readonly repairs: readonly TextRepair[];
  readonly fault?: SourceFault;
}

interface Found {
  readonly raw: string;
  readonly where: string;
  /** See `Artifact`. */
  readonly holder?: string;
  /** Of a document that is signed and cannot be read: by whom, or why it is not even signed. */
  readonly signer?: SignedBy;
  readonly signerFault?: SignatureFault;
}

export interface ExaminedLicense extends Found {
  readonly verified?: VerifiedLicense;
  /** What it says, believed or not. */
  readonly says?: License;
  readonly fault?: LicenseParseFault | SignatureFault;
}

export interface ExaminedCertificate extends Found {
  readonly verified?: VerifiedCertificate;
  readonly says?: Certificate;
  readonly encoding?: Encoding;
  readonly fault?: CertificateParseFault | SignatureFault;
}

/** Finds, parses and verifies the documents of a source. Never rejects, whatever the source holds. */
export async function examine(
  source: Parameters<typeof findArtifacts>[0],
  context: VerifyContext,
): Promise<Examined> {
  const { artifacts, stated, repairs, fault }: FoundArtifacts = findArtifacts(source);
  const examined = await Promise.all(artifacts.map((artifact) => examineOne(artifact, context)));
  const licenses = examined.flatMap(({ license }) => license ?? []);
  const certificates = examined.flatMap(({ certificate }) => certificate ?? []);
  return {
    licenses: unique(licenses),
    certificates: unique(certificates),
    stated,
    repairs,
    ...(fault !== undefined && { fault }),
  };
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

interface OneOf {
  readonly license?: ExaminedLicense;
  readonly certificate?: ExaminedCertificate;
}

async function examineOne(artifact: Artifact, context: VerifyContext): Promise<OneOf> {
  const { written, raw, where, meant, holder } = artifact;
  const parsed = parseDocument(written, meant);
  const found = { raw, where, ...(holder !== undefined && { holder }) };
  return parsed.kind === 'license'
    ? { license: { ...found, ...(await examineLicense(parsed, context)) } }
    : { certificate: { ...found, ...(await examineCertificate(parsed, context)) } };
}

async function examineLicense(
  { document, envelope }: Extract<ParsedDocument, { kind: 'license' }>,
  context: VerifyContext,
): Promise<Omit<ExaminedLicense, keyof Artifact>> {
  if (!document.ok) {
    return { fault: document.fault, ...(await signerOf(envelope, 'license', context)) };
  }
  const verified = await verifyLicense(document.value, context);
  const says = document.value.license;
  return verified.ok ? { says, verified: verified.value } : { says, fault: verified.fault };
}

async function examineCertificate(
  { document, envelope }: Extract<ParsedDocument, { kind: 'certificate' }>,
  context: VerifyContext,
): Promise<Omit<ExaminedCertificate, keyof Artifact>> {
  const encoding = envelope === undefined ? {} : { encoding: envelope.encoding };
  if (!document.ok) {
    const signer = await signerOf(envelope, 'certificate', context);
    return { ...encoding, fault: document.fault, ...signer };
  }
  const verified = await verifyCertificate(document.value, context);
  const says = document.value.certificate;
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
