import type { DocumentFault } from '#core/installation/document-verifier';
import type { ValidationOutcome } from '#core/installation/judge-reply';
import type { Inspection } from '#core/license/inspect/inspection';
import type { AuthorityFault, AuthorityState } from '#messaging/topics/authority';

/** Tells why no reply was received: nothing was sent, or the worker was lost on the way. */
export type NotAskedFault =
  | Extract<AuthorityFault, { readonly kind: 'no-authority' | 'not-permitted' }>
  | DocumentFault
  | { readonly kind: 'worker-lost' };

/** Holds one answer, and what it changes for the bundle it is about. */
export interface Answered {
  readonly authority: AuthorityState;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly before: Inspection;
  readonly outcome: ValidationOutcome | { readonly kind: 'unasked'; readonly fault: NotAskedFault };
  /** The installation's state with the answer in it, inspected as a file would be; absent when nothing was asked. */
  readonly after?: Inspection;
}
