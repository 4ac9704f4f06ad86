import type { HeadlineSentence, InspectionHeadline } from '#core/license/inspect/inspection';
import type { SampleInstallation, SampleStanding } from '#sandbox/samples/installation';

export interface SampleFile {
  /** `<standing>-<what>.<extension>` */
  readonly name: string;
  readonly standing: SampleStanding;
  /** What is to be seen in it, for people. */
  readonly about: string;
  readonly content: string | Uint8Array;
  /** The installation that must be registered before the authority can validate it. */
  readonly installation?: SampleInstallation;
  /** The expected headline: its tone and the ids of its sentences, the leading one first. */
  readonly judgement?: {
    readonly tone: InspectionHeadline['tone'];
    readonly sentences: readonly HeadlineSentence['id'][];
  };
  /** The authority refuses it, though the file alone does not show that. */
  readonly revoked?: boolean;
}
