import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { DocumentFault, InspectContext, Inspection } from '#core/license/index';
import type { ValidationOutcome } from '#core/installation/index';
import type { AuthorityState } from '#core/authority/index';
import type { Refusal } from '#messaging/index';

type AuthorityFault = Refusal<'authority.validate'>;

/** Why there is no reply: nothing was sent, or the worker was lost in the meantime. */
export type NotAskedFault =
  | Extract<AuthorityFault, { readonly kind: 'no-authority' | 'not-permitted' }>
  | DocumentFault
  | { readonly kind: 'worker-lost' };

/** One answer, and what it changes for its bundle. */
export interface Answered {
  readonly authority: AuthorityState;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly before: Inspection;
  readonly outcome: ValidationOutcome | { readonly kind: 'unasked'; readonly fault: NotAskedFault };
  /** The inspection of the installation's state including the answer; absent if nothing was asked. */
  readonly after?: Inspection;
}

/** The authorities' answers in this session. An answer counts wherever its documents are shown. */
export const useAuthorityAnswers = defineStore('verifier-authority-answers', () => {
  /** Refusals and confirmations, only the newest about each bundle. */
  const proven = shallowRef<ReadonlyMap<string, NonNullable<InspectContext['answers']>[number]>>(
    new Map(),
  );
  /** The result of the last question about each bundle, even if there was no answer. */
  const last = shallowRef<ReadonlyMap<string, Answered>>(new Map());
  /** Whether a request is running. */
  const busy = ref(false);
  const list = computed(() => [...proven.value.values()]);

  function note(answered: Answered): void {
    const key = keyOf(answered.before);
    last.value = new Map(last.value).set(key, answered);
    const answer = provenAnswerOf(answered);
    if (answer !== undefined) proven.value = new Map(proven.value).set(key, answer);
  }

  function lastAbout(inspection: Inspection): Answered | undefined {
    return last.value.get(keyOf(inspection));
  }

  /**
   * Returns when the authority refused a bundle, epoch milliseconds; undefined if its last answer was not a refusal.
   */
  function refusedAt(inspection: Inspection): number | undefined {
    const answer = proven.value.get(keyOf(inspection));
    return answer?.outcome === 'refused' ? answer.at : undefined;
  }

  return { busy, list, note, lastAbout, refusedAt, provenBy: provenAnswerOf };
});

function keyOf({ license, certificate }: Inspection): string {
  return `${license?.raw ?? ''}\n${certificate?.raw ?? ''}`;
}

/** Returns the answer that an outcome proves. An outage, or a question that was never sent, proves nothing. */
export function provenAnswerOf({
  authority,
  at,
  before,
  outcome,
}: Answered): NonNullable<InspectContext['answers']>[number] | undefined {
  if (outcome.kind !== 'granted' && outcome.kind !== 'refused') return undefined;
  return {
    license: before.license?.raw ?? '',
    certificate: before.certificate?.raw,
    at,
    authority: authority.name,
    ...(outcome.kind === 'refused'
      ? { outcome: 'refused', msg: outcome.refusal.msg }
      : { outcome: 'confirmed', msg: '' }),
  };
}
