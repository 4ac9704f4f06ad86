import type { GenericSchema } from 'valibot';

import type { AskerName } from '#messaging/senders';
import type { Topics } from '#messaging/topic';

/** Says who may send a topic, and the exact form of its body. */
export interface Rule<Body> {
  readonly from: readonly AskerName[];
  readonly body: GenericSchema<unknown, Body>;
}

/** Holds one rule for each topic of a protocol; a topic without a rule does not compile. */
export type RulesOf<P extends Topics<P>> = {
  readonly [T in keyof P]: Rule<P[T]['body']>;
};
