import * as v from 'valibot';

import { type Base, bases } from '#sandbox/seller/deployments';
import { type Endpoint, endpoints } from '#sandbox/endpoint';

const common = {
  base: v.picklist(bases),
  /** Limits the fault to this endpoint; without it, any of the four. */
  endpoint: v.optional(v.picklist(endpoints)),
  /** Number of requests to inject it into. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
};

const wait = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000));

/** Describes a fault to inject. The command ends after `times` requests. */
export const faultCommand = v.variant('fault', [
  /** Sends the right answer `ms` later. */
  v.strictObject({ ...common, fault: v.literal('latency'), ms: v.optional(wait, 2_000) }),
  /** Keeps the connection open and sends nothing. */
  v.strictObject({ ...common, fault: v.literal('silence') }),
  v.strictObject({ ...common, fault: v.literal('reset') }),
  v.strictObject({ ...common, fault: v.literal('html-500') }),
  /** `retryAfter` in seconds, or a date as HTTP writes it; null leaves the header out. */
  v.strictObject({
    ...common,
    fault: v.literal('busy-503'),
    retryAfter: v.optional(v.nullable(v.union([v.number(), v.string()])), 2),
  }),
  /** The marketplace's rate limit, in its own form. `retryAfter` in seconds. */
  v.strictObject({
    ...common,
    fault: v.literal('too-many-429'),
    retryAfter: v.optional(v.pipe(v.number(), v.minValue(0)), 5),
  }),
  /** Sends a complete reply with half of the JSON. */
  v.strictObject({ ...common, fault: v.literal('truncated') }),
  /** Breaks the connection in the middle of the body. */
  v.strictObject({ ...common, fault: v.literal('cut-off') }),
  /** Wraps every number and boolean in a list. */
  v.strictObject({ ...common, fault: v.literal('wrong-types') }),
  /** Sends a valid start of JSON that never ends. */
  v.strictObject({ ...common, fault: v.literal('endless') }),
  /** Redirects to `to`, else to this server under its other host name, which is another origin. */
  v.strictObject({
    ...common,
    fault: v.literal('redirect'),
    to: v.optional(v.pipe(v.string(), v.url())),
    status: v.optional(v.picklist([301, 302, 303, 307, 308]), 307),
  }),
  /** Answers in the right shape, about the purchase code `code`. */
  v.strictObject({
    ...common,
    fault: v.literal('other-code'),
    code: v.optional(v.string(), '00000000-0000-4000-8000-000000000000'),
  }),
]);

export type FaultCommand = v.InferOutput<typeof faultCommand>;

/** Describes a fault command as the control API takes it: fields with a default may be absent. */
export type FaultRequest = v.InferInput<typeof faultCommand>;

/** Holds injected faults until their requests arrive. */
export interface PendingFaults {
  readonly add: (command: FaultCommand) => void;
  readonly list: () => readonly FaultCommand[];
  readonly clear: () => void;
  /** Returns the oldest command that fits and uses up one of its `times`. */
  readonly take: (base: Base, endpoint: Endpoint) => FaultCommand | undefined;
}

export function createPendingFaults(): PendingFaults {
  let commands: FaultCommand[] = [];
  return {
    add: (command) => {
      commands.push(command);
    },
    list: () => commands,
    clear: () => {
      commands = [];
    },
    take: (base, endpoint) => {
      const command = commands.find(
        (one) => one.base === base && (one.endpoint ?? endpoint) === endpoint,
      );
      if (command === undefined) return undefined;
      commands = commands.flatMap((one) => {
        if (one !== command) return [one];
        return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
      });
      return command;
    },
  };
}
