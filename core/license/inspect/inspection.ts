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
 * Tells what a file alone can say of an installation: the spec's states, and `unverified` before all of them, when nothing
 * can be read or something in it does not verify.
 */
export type FileStanding = 'unverified' | Standing;

export type CheckOutcome = 'pass' | 'warn' | 'fail' | 'skip';

/** Lists why each check may end as it did. The catalogue has a sentence for each, under `<check>.<reason>`. */
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
    /** A genuine certificate without a date has other deadlines: which one is newer cannot be told. */
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
    /** The ticket names it otherwise, and nobody has said whether both names mean one product. */
    | 'other-name'
    | 'not-stated'
    | 'nothing-expected'
    | 'absent'
    | 'not-verified';
  'certificate-matches-license':
    | 'agrees'
    | 'differs'
    /** Nothing but its domain ties the certificate to anything. */
    | 'domain-alone'
    | 'nothing-shared'
    /** The only certificates beside the license were signed by another authority's key. */
    | 'other-signer'
    /** Several licenses stand beside it, and it names none of them. */
    | 'unassigned'
    | 'absent'
    | 'not-verified';
  'not-from-the-future': 'past' | 'ahead' | 'undated' | 'absent' | 'not-verified';
  'next-validation': 'ahead' | 'due' | 'absent' | 'not-verified';
  /** `…-stated`: on the word of the file's own unsigned part alone. */
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

/** Names faults of what a document says, whoever signed it. */
export type ContentFaultKind = LicenseFault['kind'] | CertificateFault['kind'];

export type CheckId = keyof CheckReasons;

/**
 * Describes one check. `data` holds what its sentence needs: moments (`…At`, `…Until`) are epoch milliseconds, lists are
 * joined already. The wording lives with the view.
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

/** Describes one sentence of the headline, the leading one first. */
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
  /** A key vouches for it of which nobody has said whether its licenses are real or for tests. */
  readonly unstated?: true;
  /** It says `test: true` or `sample: true`, under a key that is pinned as live. */
  readonly calledTest?: true;
  /** The authority's answer; absent for a moment before it was given. */
  readonly answer?: AuthorityStatement;
  /**
   * When the genuine certificate was issued, else the genuine license, epoch milliseconds. A revocation since then cannot be seen
   * in a file. Absent: neither says when.
   */
  readonly asOf?: number;
}

/** Holds what an authority said of one bundle when it was asked from here. */
export interface AuthorityStatement {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: 'confirmed' | 'refused';
  /** The authority's name, as the agent set it up. */
  readonly authority: string;
  /** Its own words, which may be empty. */
  readonly msg: string;
}

/** Holds a statement with the signed texts of the bundle that it is about. */
export interface AuthorityAnswer extends AuthorityStatement {
  readonly license: string;
  readonly certificate: string | undefined;
}

/** Shows a document as it was found, believed or not. */
export interface DocumentView<Content, Fault> {
  readonly raw: string;
  readonly where: string;
  readonly genuine: boolean;
  /** The content; absent when it cannot be read at all. */
  readonly says?: Content;
  readonly signed?: SignedBy;
  /** Why it is not believed. */
  readonly fault?: Fault | SignatureFault;
  /** Why it stands beside the license and does not count for it. */
  readonly because?: 'other-signer';
}

export type CertificateView = DocumentView<Certificate, CertificateParseFault>;

/** Holds everything that can be said of one license and its certificate at one moment. JSON-safe. */
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
  /** The moment judged at, epoch milliseconds: `now`, or the latest seen when the clock was turned back. */
  readonly moment: number;
  readonly next?: UpcomingTransition;
  /** Repairs that were needed to read the text, for the reply to the customer. */
  readonly repairs: readonly TextRepair[];
  readonly sourceFault?: SourceFault;
  /** The file's unsigned part: a License request or a saved installation state. Nobody vouches for it. */
  readonly stated: StatedFields;
  /** The forms that genuine documents were signed in, for the ring to remember. */
  readonly forms: readonly SignedFormSeen[];
  /** Further licenses and installations in the same text, each inspected for itself. */
  readonly others: readonly Inspection[];
}

export interface SignedFormSeen {
  /** The key's `id` in the ring. */
  readonly key: string;
  readonly document: 'license' | 'certificate';
  readonly form: SignedForm;
}

/** Holds what the agent knows from the ticket. Absent or blank: nothing is expected. */
export interface Expected {
  readonly domain?: string;
  readonly productSlug?: string;
  readonly installationId?: string;
}
