import * as v from 'valibot';

import { bases } from '#sandbox/seller/deployments';
import type { Base } from '#sandbox/seller/deployments';
import { endpoints } from '#sandbox/endpoint';
import type { Endpoint } from '#sandbox/endpoint';

const common = {
  base: v.picklist(bases),
  /** Only requests to this endpoint; without it, any of the four. */
  endpoint: v.optional(v.picklist(endpoints)),
  /** How many requests it befalls. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
};

const wait = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000));

/** What can be made to go wrong. An order is used up after `times` requests. */
export const faultCommand = v.variant('fault', [
  /** The right answer, `ms` later. */
  v.strictObject({ ...common, fault: v.literal('latency'), ms: v.optional(wait, 2_000) }),
  /** The connection stays open and nothing comes. */
  v.strictObject({ ...common, fault: v.literal('silence') }),
  v.strictObject({ ...common, fault: v.literal('reset') }),
  v.strictObject({ ...common, fault: v.literal('html-500') }),
  /** `retryAfter` in seconds, or a date as HTTP writes it; null leaves the header out. */
  v.strictObject({
    ...common,
    fault: v.literal('busy-503'),
    retryAfter: v.optional(v.nullable(v.union([v.number(), v.string()])), 2),
  }),
  /** A whole reply that holds half of the JSON. */
  v.strictObject({ ...common, fault: v.literal('truncated') }),
  /** The connection breaks in the middle of the body. */
  v.strictObject({ ...common, fault: v.literal('cut-off') }),
  /** Every number and boolean becomes a list of itself. */
  v.strictObject({ ...common, fault: v.literal('wrong-types') }),
  /** Valid JSON as far as it goes, and it never ends. */
  v.strictObject({ ...common, fault: v.literal('endless') }),
  /** To `to`, else to this server under its other name, which is another origin. */
  v.strictObject({
    ...common,
    fault: v.literal('redirect'),
    to: v.optional(v.pipe(v.string(), v.url())),
    status: v.optional(v.picklist([301, 302, 303, 307, 308]), 307),
  }),
  /** The right shape, about the purchase code `code`. */
  v.strictObject({
    ...common,
    fault: v.literal('other-code'),
    code: v.optional(v.string(), '00000000-0000-4000-8000-000000000000'),
  }),
]);

export type FaultCommand = v.InferOutput<typeof faultCommand>;

/** An order as it is sent: what has a default may be left out. */
export type FaultRequest = v.InferInput<typeof faultCommand>;

/** Faults that are waiting for their request. */
export interface FaultDesk {
  readonly add: (command: FaultCommand) => void;
  readonly waiting: () => readonly FaultCommand[];
  readonly clear: () => void;
  /** The oldest order that fits, one of its `times` used up. */
  readonly take: (base: Base, endpoint: Endpoint) => FaultCommand | undefined;
}

export function createFaultDesk(): FaultDesk {
  let commands: FaultCommand[] = [];
  return {
    add: (command) => {
      commands.push(command);
    },
    waiting: () => commands,
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
