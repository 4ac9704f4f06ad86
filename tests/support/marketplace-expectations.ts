/**
 * Describes what an agent is told of a marketplace in the sandbox. The file in `expectations/` with the name of its id
 * exports it as `expected`, so that the tests of all marketplaces name none of them.
 */
export interface MarketplaceExpectations {
  /** Matches what every role sees of its account. */
  readonly account: RegExp;
  /** A code that is in none of the answers. */
  readonly unasked: string;
  /** The connections by the kind of their token: those of its emulation, `wrong`, and `none`. */
  readonly connections: Readonly<Partial<Record<string, ConnectionExpectations>>> & {
    readonly whole: ConnectionExpectations;
  };
}

interface ConnectionExpectations {
  /** A sentence of what the test of the connection says. */
  readonly test?: string;
  readonly answers?: readonly ExpectedAnswer[];
}

/** The verdict in its most exact word, the title and a sentence of the card, and what the card does not hold. */
type ExpectedAnswer = readonly [
  code: string,
  verdict: string,
  title: string,
  says: string,
  absent?: string,
];

export const notFound = 'No such purchase on this account';
export const isVoid = 'This purchase is known here, but it is no longer valid';
export const tellsNoSupport = 'This marketplace does not report a support period';
