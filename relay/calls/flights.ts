import type { Result } from '#core/result';
import { askUpstream } from '#relay/calls/ask-upstream';
import type { Asked } from '#relay/calls/ask-upstream';
import type { Question, SellerAnswer } from '#relay/calls/question';
import type { CallParts } from '#relay/calls/parts';
import type { Failure } from '#relay/rules/failure';

/** Tells who asked the upstream, and what it answered. */
export interface FlightResult {
  /** `shared`: another call under way asked the same. */
  readonly by: 'asked' | 'shared';
  readonly outcome: Result<SellerAnswer, Failure>;
}

/** Holds a question for the call that may ask it, from before its lookup to the end of its flight. */
export interface Claim {
  /** True once the question was asked under this claim. */
  readonly isUsed: () => boolean;
  /** Lets the others ask; does nothing to a claim that is used. */
  giveUp(): void;
}

/** Asks an upstream once for all calls that want the same at the same time. */
export interface Flights {
  /** Claims a question by its name; undefined while another call has it, so that only one of them takes a slot. */
  claim(name: string): Claim | undefined;
  /** Asks, or joins whoever asks. Without a claim it waits until who has one has decided. */
  ask(
    question: Omit<Question, 'isBulk'>,
    bulk: boolean,
    claim: Claim | undefined,
  ): Promise<FlightResult>;
}

interface Flight {
  /** Becomes interactive with the first interactive call that joins. */
  readonly work: { bulk: boolean };
  readonly asked: Promise<Asked>;
}

interface OpenClaim extends Claim {
  /** Resolves when the question is asked or given up. */
  readonly decided: Promise<undefined>;
  use(): void;
}

export function createFlights(parts: CallParts): Flights {
  const flights = new Map<string, Flight>();
  const claims = new Map<string, OpenClaim>();

  function claim(name: string): OpenClaim | undefined {
    if (claims.has(name)) return undefined;
    const { promise: decided, resolve } = Promise.withResolvers<undefined>();
    let used = false;
    const made: OpenClaim = {
      decided,
      isUsed: () => used,
      use: () => {
        used = true;
        resolve(undefined);
      },
      giveUp: () => {
        if (used) return;
        if (claims.get(name) === made) claims.delete(name);
        resolve(undefined);
      },
    };
    claims.set(name, made);
    return made;
  }

  return {
    claim,
    ask: async (question, bulk, own) => {
      const { name } = question;
      if (own === undefined) {
        const other = claims.get(name);
        if (other?.isUsed() === false) await other.decided;
      }
      // A refresh joins only other refreshes: the rest may be answered from the cache.
      const key = `${question.cacheKey}${question.refresh ? ' fresh' : ''}`;
      const underWay = flights.get(key);
      if (underWay !== undefined) {
        underWay.work.bulk &&= bulk;
        return { by: 'shared', outcome: (await underWay.asked).outcome };
      }
      const held = own === undefined ? claim(name) : claims.get(name);
      held?.use();
      const work = { bulk };
      const asked = askUpstream(parts, { ...question, isBulk: () => work.bulk });
      flights.set(key, { work, asked });
      const end = (): void => {
        flights.delete(key);
        if (held !== undefined) claims.delete(name);
      };
      // Until the reply is in the cache, whoever does not find it there finds this flight. What is not kept answers nobody who comes later.
      void asked.then(({ cached }) => cached).then(end, end);
      return { by: 'asked', outcome: (await asked).outcome };
    },
  };
}
