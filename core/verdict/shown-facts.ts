import type { PurchaseSummary } from '#core/check/index';
import type { Purchase } from '#core/marketplaces/index';

/** A fact as data; the view that shows it puts it into words. */
export type FactValue =
  | { readonly text: string }
  | { readonly tier: string }
  | { readonly amount: number; readonly currency: string }
  /** Epoch milliseconds. */
  | { readonly at: number }
  | { readonly number: number }
  | { readonly count: number; readonly limit?: number }
  | { readonly is: boolean };

/**
 * Where a fact is shown: in the card under a verdict, in the copied summary, in the dialogs of a bulk row and of a
 * history entry, in a column of a CSV. The JSON of a bulk check has every fact but the buyer.
 */
type FactView = 'card' | 'copy' | 'dialog' | 'column';

type Facts = PurchaseSummary & Pick<Purchase, 'buyer'>;
interface ShownFact {
  readonly views: readonly FactView[];
  readonly read: (purchase: Facts, view?: FactView) => FactValue | undefined;
}

const everywhere = ['card', 'copy', 'dialog', 'column'] as const;
const exceptColumns = ['card', 'copy', 'dialog'] as const;

/**
 * The facts of a purchase in the order in which an agent needs them: where each is shown, and how it is read. The label
 * of each is the text `answer.fact.NAME`.
 */
const facts = {
  license: {
    views: everywhere,
    read: ({ licenseType: tier }) => (tier === '' ? undefined : { tier }),
  },
  price: {
    views: exceptColumns,
    read: ({ price: amount, currency }) =>
      amount === undefined ? undefined : { amount, currency },
  },
  bought: { views: exceptColumns, read: ({ date }) => moment(date) },
  supportedUntil: {
    views: ['copy', 'dialog', 'column'],
    read: ({ supportedUntil }) => moment(supportedUntil),
  },
  expires: { views: everywhere, read: ({ expiresAt }) => moment(expiresAt) },
  buyer: {
    views: ['card'],
    read: ({ buyer }) => buyer && { text: Object.values(buyer).join(', ') },
  },
  seats: {
    views: everywhere,
    read: ({ seats: number }) => (number === undefined ? undefined : { number }),
  },
  uses: { views: everywhere, read: ({ uses }) => uses },
  partlyRefunded: { views: everywhere, read: ({ partlyRefunded }) => flag(partlyRefunded) },
  disputed: {
    views: exceptColumns,
    // The verdict says it already.
    read: ({ disputed, problem }) => flag(problem ? undefined : disputed),
  },
  testMode: {
    views: exceptColumns,
    read: ({ testMode, problem }) => flag(problem?.kind === 'test' ? undefined : testMode),
  },
  downloaded: {
    views: exceptColumns,
    read: ({ downloaded }, view) =>
      flag(view === 'card' && downloaded === true ? undefined : downloaded),
  },
} as const satisfies Readonly<Record<string, ShownFact>>;

export type FactName = keyof typeof facts;

const entries = Object.entries(facts) as [FactName, ShownFact][];

/** Returns the facts of a purchase that are shown in a view, in order. */
export function factsOf(
  purchase: Facts,
  view: FactView,
): readonly { readonly name: FactName; readonly value: FactValue }[] {
  return entries.flatMap(([name, { views, read }]) => {
    const value = views.includes(view) ? read(purchase, view) : undefined;
    return value === undefined ? [] : [{ name, value }];
  });
}

/** Names what is stored of a purchase: who bought it is in no history, export or reply. */
export type StoredFactName = Exclude<FactName, 'buyer'>;

export const columnFacts: readonly StoredFactName[] = entries.flatMap(([name, { views }]) =>
  name !== 'buyer' && views.includes('column') ? [name] : [],
);

export function readFacts(
  purchase: PurchaseSummary | undefined,
): Readonly<Record<StoredFactName, FactValue | undefined>> {
  const stored = entries.filter(([name]) => name !== 'buyer');
  return Object.fromEntries(
    stored.map(([name, { read }]) => [name, purchase && read(purchase)]),
  ) as Readonly<Record<StoredFactName, FactValue | undefined>>;
}

function moment(at: number | undefined): FactValue | undefined {
  return at === undefined ? undefined : { at };
}

function flag(is: boolean | undefined): FactValue | undefined {
  return is === undefined ? undefined : { is };
}
