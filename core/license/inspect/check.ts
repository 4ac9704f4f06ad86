import type {
  Check,
  CheckId,
  CheckOutcome,
  CheckReasons,
  Facts,
} from '#core/license/inspect/inspection';

export function check<Id extends CheckId>(
  id: Id,
  outcome: CheckOutcome,
  reason: CheckReasons[Id],
  data: Facts = {},
): Check {
  return { id, outcome, reason, data } as Check;
}

/** Flattens what a fault says beside its kind: lists are joined, inner records spread. */
export function factsOf(fault: { readonly kind: string }): Facts {
  const facts: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fault) as [string, unknown][]) {
    if (name === 'kind') continue;
    if (typeof value === 'string' || typeof value === 'number') facts[name] = value;
    else if (Array.isArray(value)) facts[name] = value.join(', ');
    else if (typeof value === 'object' && value !== null) Object.assign(facts, value);
  }
  return facts;
}

/** Leaves out the facts that are not known. */
export function known(facts: Readonly<Record<string, string | number | undefined>>): Facts {
  const present: Record<string, string | number> = {};
  for (const name of Object.keys(facts)) {
    const fact = facts[name];
    if (fact !== undefined) present[name] = fact;
  }
  return present;
}
