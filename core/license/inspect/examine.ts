import { findArtifacts } from '#core/license/extract/find-artifacts';
import type { Artifact, FoundArtifacts } from '#core/license/extract/find-artifacts';
import type { Certificate } from '#core/license/document/certificate';
import type { CertificateParseFault, LicenseParseFault } from '#core/license/document/document';
import { parseDocument } from '#core/license/document/document';
import type { StatedFields } from '#core/license/extract/stated-fields';
import type { License } from '#core/license/document/license';
import type { Encoding } from '#core/license/keys/pinned-key';
import type { TextRepair } from '#core/license/extract/repair';
import type { SourceFault } from '#core/license/encoding/source-fault';
import type {
  SignatureFault,
  SignedBy,
  VerifiedCertificate,
  VerifiedLicense,
  VerifyContext,
} from '#core/license/verify';
import { findSignerOf, verifyCertificate, verifyLicense } from '#core/license/verify';

/** Everything about a source that does not depend on the moment: read and verified once, judged as often as one likes. JSON-safe. */
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
  /** Its place among all documents of the source. */
  readonly index: number;
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
  /** Of a certificate that is signed and cannot be read: by whom, or why it is not even signed. */
  readonly signer?: SignedBy;
  readonly signerFault?: SignatureFault;
}

export async function examine(
  source: Parameters<typeof findArtifacts>[0],
  context: VerifyContext,
): Promise<Examined> {
  const { artifacts, stated, repairs, fault }: FoundArtifacts = findArtifacts(source);
  const licenses: ExaminedLicense[] = [];
  const certificates: ExaminedCertificate[] = [];
  const examined = await Promise.all(
    artifacts.map((artifact, index) => examineOne(artifact, index, context)),
  );
  for (const { license, certificate } of examined) {
    if (license !== undefined) licenses.push(license);
    if (certificate !== undefined) certificates.push(certificate);
  }
  return { licenses, certificates, stated, repairs, ...(fault !== undefined && { fault }) };
}

interface OneOf {
  readonly license?: ExaminedLicense;
  readonly certificate?: ExaminedCertificate;
}

async function examineOne(
  { written, raw, where, meant }: Artifact,
  index: number,
  context: VerifyContext,
): Promise<OneOf> {
  const parsed = parseDocument(written, context.profile, meant);
  const found = { raw, where, index };
  if (parsed.kind === 'license') {
    const { document } = parsed;
    if (!document.ok) return { license: { ...found, fault: document.fault } };
    const verified = await verifyLicense(document.value, context);
    const says = document.value.license;
    return {
      license: verified.ok
        ? { ...found, says, verified: verified.value }
        : { ...found, says, fault: verified.fault },
    };
  }
  const { document, envelope } = parsed;
  const encoding = envelope === undefined ? {} : { encoding: envelope.encoding };
  if (!document.ok) {
    const { fault } = document;
    if (envelope === undefined) return { certificate: { ...found, fault } };
    const signer = await findSignerOf(envelope, 'certificate', context);
    const signed = signer.ok ? { signer: signer.value } : { signerFault: signer.fault };
    return { certificate: { ...found, ...encoding, fault, ...signed } };
  }
  const verified = await verifyCertificate(document.value, context);
  const says = document.value.certificate;
  return {
    certificate: verified.ok
      ? { ...found, ...encoding, says, verified: verified.value }
      : { ...found, ...encoding, says, fault: verified.fault },
  };
}
