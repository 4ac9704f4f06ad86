import type {
  CertificateParseFault,
  LicenseParseFault,
  Certificate,
  CertificateFault,
  License,
  LicenseFault,
} from '#core/license/document/document';
import type { DomainDifference } from '#core/license/document/domain';
import type { SignedForm } from '#core/keys/index';
import type { SourceFault, TextRepair } from '#core/reading/index';
import type { StatedFields } from '#core/license/extract/stated-fields';
import type { Standing, UpcomingTransition } from '#core/license/standing';
import type { KeyRefusal, KeyWarning, SignatureFault, SignedBy } from '#core/license/verify';

/**
 * The standing of an installation as far as its file shows: one of the spec's states, or `unverified` if nothing can be
 * read or something does not verify.
 */
export type FileStanding = 'unverified' | Standing;

export type CheckOutcome = 'pass' | 'warn' | 'fail' | 'skip';

/**
 * The possible reasons for the outcome of each check. The catalogue has a sentence for each, under `<check>.<reason>`.
 */
export interface CheckReasons {
  'license-signature':
    | 'holds'
    | 'absent'
    | 'unusual-form'
    | LicenseParseFault['kind']
    | SignatureFault['kind'];
  'license-payload':
    | 'readable'
    /** Genuine, but its content is text or bytes, not JSON. */
    | 'opaque'
    | 'absent'
    | 'duplicate-name'
    | 'proto-name'
    | 'lone-surrogate'
    | 'inexact-number'
    | 'unreadable-date'
    | 'expired'
    | 'unread'
    | 'not-verified'
    | ContentFaultKind;
  'certificate-signature':
    | 'holds'
    | 'absent'
    | 'unusual-form'
    | CertificateParseFault['kind']
    | SignatureFault['kind'];
  'certificate-fields':
    | 'readable'
    | 'absent'
    | 'unread'
    | 'not-verified'
    | 'unreadable-date'
    /** A genuine undated certificate has other deadlines, so which one is newer is unknown. */
    | 'undated-beside'
    | ContentFaultKind;
  /** `in-file`: nothing was expected from the ticket, and the parts of the file agree. */
  domain: DomainDifference | 'in-file' | 'nothing-expected' | 'absent' | 'not-verified';
  installation:
    | 'equal'
    | 'in-file'
    | 'different'
    | 'unreadable'
    | 'nothing-expected'
    | 'absent'
    | 'not-verified';
  product:
    | 'equal'
    | 'in-file'
    | 'different'
    /** The ticket uses another name, and it is not known whether both names mean the same product. */
    | 'other-name'
    | 'not-stated'
    | 'nothing-expected'
    | 'absent'
    | 'not-verified';
  'certificate-matches-license':
    | 'agrees'
    | 'differs'
    /** Only its domain connects the certificate to the license. */
    | 'domain-alone'
    | 'nothing-shared'
    /** The only certificates beside the license were signed by another authority's key. */
    | 'other-signer'
    /** There are several licenses, and it names none of them. */
    | 'unassigned'
    | 'absent'
    | 'not-verified';
  'not-from-the-future': 'past' | 'ahead' | 'undated' | 'absent' | 'not-verified';
  'next-validation': 'ahead' | 'due' | 'absent' | 'not-verified';
  /** `…-stated`: only according to the file's unsigned part. */
  grace:
    | 'not-needed'
    | 'open'
    | 'open-stated'
    | 'not-shown'
    | 'clock'
    | 'over'
    | 'refused'
    | 'refused-stated'
    | 'absent'
    | 'not-verified';
  clock: 'steady' | 'turned-back' | 'unknown';
  'key-status': 'live' | 'test' | 'unstated' | KeyWarning | KeyRefusal | 'unknown';
}

/** Faults of a document's content, whoever signed it. */
export type ContentFaultKind = LicenseFault['kind'] | CertificateFault['kind'];

export type CheckId = keyof CheckReasons;

/**
 * One check. `data` has the values for its sentence: moments (`…At`, `…Until`) are epoch milliseconds, lists are
 * already joined. The wording is up to the view.
 */
export type Check = {
  [Id in CheckId]: {
    readonly id: Id;
    readonly outcome: CheckOutcome;
    readonly reason: CheckReasons[Id];
    readonly data: Facts;
  };
}[CheckId];

export type Facts = Readonly<Record<string, string | number>>;

/** One sentence of the headline; the leading one is first. */
export interface HeadlineSentence {
  readonly id:
    | `source-${SourceFault['kind']}`
    | 'nothing-found'
    | 'not-verified'
    | 'license-not-genuine'
    | 'license-unreadable'
    | 'license-unknown-key'
    | 'license-no-key-fits'
    | 'license-glued'
    | 'certificate-not-genuine'
    | 'certificate-unreadable'
    | 'certificate-unknown-key'
    | 'certificate-no-key-fits'
    | 'certificate-glued'
    | 'key-not-trusted'
    | 'mismatch-domain'
    | 'mismatch-installation'
    | 'mismatch-product'
    | 'mismatch-license'
    | 'issued-ahead'
    | 'license-expired'
    | 'other-name'
    | 'license-end-unreadable'
    | 'undated-under-limited-key'
    | 'undated-certificate'
    | 'other-signer'
    | 'unassigned'
    | 'clock-turned-back'
    | 'not-activated'
    | 'activated'
    | 'validation-due'
    | 'grace'
    | 'grace-stated'
    | 'denied'
    | 'denied-refused'
    | 'denied-refused-stated';
  readonly data: Facts;
}

export interface InspectionHeadline {
  readonly tone: 'good' | 'caution' | 'bad' | 'unknown';
  readonly sentences: readonly HeadlineSentence[];
  /** Whether a test key vouches for it. */
  readonly test: boolean;
  /** Nobody has said whether the key that vouches for it signs real licenses or test licenses. */
  readonly unstated?: true;
  /** It says `test: true` or `sample: true`, under a key that is pinned as live. */
  readonly calledTest?: true;
  /** The authority's answer; absent for a moment before it was given. */
  readonly answer?: AuthorityStatement;
  /**
   * When the genuine certificate, or else the genuine license, was issued, epoch milliseconds. A file cannot show a
   * later revocation. Absent if neither has a date.
   */
  readonly asOf?: number;
}

/** An authority's answer about one bundle when it was asked from here. */
export interface AuthorityStatement {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: 'confirmed' | 'refused';
  /** The authority's name in the settings. */
  readonly authority: string;
  /** Its message, which may be empty. */
  readonly msg: string;
}

/** A statement, and the signed texts of the bundle that it is about. */
export interface AuthorityAnswer extends AuthorityStatement {
  readonly license: string;
  readonly certificate: string | undefined;
}

/** A document as found, whether or not it is believed. */
export interface DocumentView<Content, Fault> {
  readonly raw: string;
  readonly where: string;
  readonly genuine: boolean;
  /** The content; absent if it cannot be read at all. */
  readonly says?: Content;
  readonly signed?: SignedBy;
  /** Why it is not believed. */
  readonly fault?: Fault | SignatureFault;
  /** Why it does not count for the license that it was found with. */
  readonly because?: 'other-signer';
}

export type CertificateView = DocumentView<Certificate, CertificateParseFault>;

/** Everything known about one license and its certificate at one moment. JSON-safe. */
export interface Inspection {
  readonly standing: FileStanding;
  readonly headline: InspectionHeadline;
  /** In the order of `CheckReasons`, one each. */
  readonly checks: readonly Check[];
  readonly license?: DocumentView<License, LicenseParseFault>;
  /** The certificate that counts: of several, the newest genuine one for this installation. */
  readonly certificate?: CertificateView;
  /** The certificates that do not count. */
  readonly otherCertificates: readonly CertificateView[];
  /** The moment of the judgement, epoch milliseconds: `now`, or the latest moment seen if the clock was turned back. */
  readonly moment: number;
  readonly next?: UpcomingTransition;
  /** Repairs that were needed to read the text, for the reply to the customer. */
  readonly repairs: readonly TextRepair[];
  readonly sourceFault?: SourceFault;
  /** The file's unsigned part: a License request or a saved installation state. It is not verified. */
  readonly stated: StatedFields;
  /** The forms that genuine documents were signed in, for the ring to remember. */
  readonly forms: readonly SignedFormSeen[];
  /** Further licenses and installations in the same text, each inspected separately. */
  readonly others: readonly Inspection[];
}

export interface SignedFormSeen {
  /** The key's `id` in the ring. */
  readonly key: string;
  readonly document: 'license' | 'certificate';
  readonly form: SignedForm;
}

/** What the agent knows from the ticket. Absent or blank: nothing is expected. */
export interface Expected {
  readonly domain?: string;
  readonly productSlug?: string;
  readonly installationId?: string;
}
