import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { DocumentFault, InspectContext, Inspection } from '#core/license/index';
import type { ValidationOutcome } from '#core/installation/index';
import type { AuthorityState } from '#core/authority/index';
import type { Refusal } from '#messaging/index';

type AuthorityFault = Refusal<'authority.validate'>;

/** Why no reply was received: nothing was sent, or the worker was lost on the way. */
export type NotAskedFault =
  | Extract<AuthorityFault, { readonly kind: 'no-authority' | 'not-permitted' }>
  | DocumentFault
  | { readonly kind: 'worker-lost' };

/** One answer, and what it changes for the bundle it is about. */
export interface Answered {
  readonly authority: AuthorityState;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly before: Inspection;
  readonly outcome: ValidationOutcome | { readonly kind: 'unasked'; readonly fault: NotAskedFault };
  /** The installation's state with the answer in it, inspected as a file would be; absent when nothing was asked. */
  readonly after?: Inspection;
}

/**
 * Holds what authorities answered in this session. An answer counts wherever the documents that it is about are shown.
 */
export const useAuthorityAnswers = defineStore('verifier-authority-answers', () => {
  /** Refusals and confirmations, the newest about a bundle alone. */
  const proven = shallowRef<ReadonlyMap<string, NonNullable<InspectContext['answers']>[number]>>(
    new Map(),
  );
  /** What the last question about a bundle brought; also that it brought no answer. */
  const last = shallowRef<ReadonlyMap<string, Answered>>(new Map());
  /** A request is under way. */
  const busy = ref(false);
  const list = computed(() => [...proven.value.values()]);

  /** Forgets what came of asking about a bundle before; a proven answer counts until another is noted. */
  function begin(inspection: Inspection): void {
    last.value = new Map([...last.value].filter(([key]) => key !== keyOf(inspection)));
  }

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
   * Returns when the authority refused a bundle, epoch milliseconds; undefined where its last answer was no refusal.
   */
  function refusedAt(inspection: Inspection): number | undefined {
    const answer = proven.value.get(keyOf(inspection));
    return answer?.outcome === 'refused' ? answer.at : undefined;
  }

  return { busy, list, begin, note, lastAbout, refusedAt, provenBy: provenAnswerOf };
});

function keyOf({ license, certificate }: Inspection): string {
  return `${license?.raw ?? ''}\n${certificate?.raw ?? ''}`;
}

/** Returns what an outcome proves; an outage and a question that was never sent prove nothing. */
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
