/** Injected faults, waiting for the requests that they are for. */
export interface FaultQueue<Fault> {
  readonly add: (fault: Fault) => void;
  readonly list: () => readonly Fault[];
  readonly clear: () => void;
  /** Returns the oldest matching fault, and uses up one of its `times`. */
  readonly take: (fits: (fault: Fault) => boolean) => Fault | undefined;
}

export function createFaultQueue<Fault extends { readonly times: number }>(): FaultQueue<Fault> {
  let waiting: Fault[] = [];
  return {
    add: (fault) => {
      waiting.push(fault);
    },
    list: () => waiting,
    clear: () => {
      waiting = [];
    },
    take: (fits) => {
      const fault = waiting.find(fits);
      if (fault === undefined) return undefined;
      waiting = waiting.flatMap((one) => {
        if (one !== fault) return [one];
        return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
      });
      return fault;
    },
  };
}
