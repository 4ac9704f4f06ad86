import type { PurchaseSummary } from '#core/check/index';
import type { Purchase } from '#core/marketplaces/index';

/** A fact as data; the view puts it into words. */
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
 * Where a fact is shown: the card under a verdict, the copied summary, the dialogs of a bulk row and a history entry,
 * and the columns of a CSV. The JSON of a bulk check has every fact that is not personal.
 */
type FactView = 'card' | 'copy' | 'dialog' | 'column';

type Unstored = Partial<Omit<Purchase, keyof PurchaseSummary>>;

type ShownFact =
  /** It concerns a person, so it is only shown in the card, and never in history, exports or copies. */
  | { readonly personal: true; readonly read: (purchase: Unstored) => FactValue | undefined }
  | {
      readonly personal?: never;
      readonly views: readonly FactView[];
      readonly read: (purchase: PurchaseSummary, view?: FactView) => FactValue | undefined;
    };

const everywhere = ['card', 'copy', 'dialog', 'column'] as const;
const exceptColumns = ['card', 'copy', 'dialog'] as const;

/**
 * The facts of a purchase in the order in which an agent needs them, with where each is shown and how it is read. The
 * label is the text `answer.fact.NAME`.
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
    personal: true,
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
    // If there is a problem, the verdict already says so.
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

type Facts = typeof facts;
export type FactName = keyof Facts;

/** The names of the facts that are stored and exported. */
export type StoredFactName = {
  [Name in FactName]: Facts[Name] extends { readonly personal: true } ? never : Name;
}[FactName];

const entries = Object.entries(facts) as [FactName, ShownFact][];
const storedEntries = entries.filter(([, { personal }]) => personal !== true) as [
  StoredFactName,
  Exclude<ShownFact, { readonly personal: true }>,
][];

/** Returns the facts of a purchase that are shown in a view, in order. */
export function factsOf(
  purchase: PurchaseSummary & Unstored,
  view: FactView,
): readonly { readonly name: FactName; readonly value: FactValue }[] {
  return entries.flatMap(([name, fact]) => {
    const isShown = fact.personal === true ? view === 'card' : fact.views.includes(view);
    const value = isShown ? fact.read(purchase, view) : undefined;
    return value === undefined ? [] : [{ name, value }];
  });
}

export const columnFacts: readonly StoredFactName[] = storedEntries.flatMap(([name, { views }]) =>
  views.includes('column') ? [name] : [],
);

export function readFacts(
  purchase: PurchaseSummary | undefined,
): Readonly<Record<StoredFactName, FactValue | undefined>> {
  return Object.fromEntries(
    storedEntries.map(([name, { read }]) => [name, purchase && read(purchase)]),
  ) as Readonly<Record<StoredFactName, FactValue | undefined>>;
}

function moment(at: number | undefined): FactValue | undefined {
  return at === undefined ? undefined : { at };
}

function flag(is: boolean | undefined): FactValue | undefined {
  return is === undefined ? undefined : { is };
}
