import type { Result } from '#core/result';
import { type Asked, askUpstream } from '#relay/calls/ask-upstream';
import type { Question, SellerAnswer } from '#relay/calls/question';
import type { CallParts } from '#relay/calls/parts';
import type { Failure } from '#relay/rules/failure';

/** Tells who asked the upstream, and what it answered. */
export interface FlightResult {
  /** `shared`: another call under way asked the same. */
  readonly by: 'asked' | 'shared';
  readonly outcome: Result<SellerAnswer, Failure>;
}

/** Asks an upstream once for all calls that want the same at the same time. */
export interface Flights {
  ask(question: Omit<Question, 'isBulk'>, bulk: boolean): Promise<FlightResult>;
}

interface Flight {
  /** Becomes interactive with the first interactive call that joins. */
  readonly work: { bulk: boolean };
  readonly asked: Promise<Asked>;
}

export function createFlights(parts: CallParts): Flights {
  const flights = new Map<string, Flight>();

  return {
    ask: async (question, bulk) => {
      // A refresh joins only other refreshes: the rest may be answered from the cache.
      const key = `${question.cacheKey}${question.refresh ? ' fresh' : ''}`;
      const underWay = flights.get(key);
      if (underWay !== undefined) {
        underWay.work.bulk &&= bulk;
        return { by: 'shared', outcome: (await underWay.asked).outcome };
      }
      const work = { bulk };
      const asked = askUpstream(parts, { ...question, isBulk: () => work.bulk });
      flights.set(key, { work, asked });
      const end = (): void => {
        flights.delete(key);
      };
      // Until the reply is in the cache, whoever does not find it there finds this flight. What is not kept answers nobody who comes later.
      void asked.then(({ cached }) => cached).then(end, end);
      return { by: 'asked', outcome: (await asked).outcome };
    },
  };
}
