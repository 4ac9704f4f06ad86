import { matchShape, parseCodePattern } from '#core/check/code-shape';
import type { Connection } from '#core/connections/connection';
import type { MarketplaceId } from '#core/marketplaces/marketplace-id';

/** Says of one marketplace what a page must know before it is asked. */
interface Place {
  readonly baseAddress: string;
  /** The form of its codes, a pattern in the syntax of `Dialect.codePattern`: it is asked about no other. */
  readonly codeForm: string;
  /** Whether it answers for the codes of every store, so that a connection names its own. */
  readonly needsStore?: true;
}

/** Stands apart from the readers, so that a page loads none of them for it. */
export const places: Readonly<Record<MarketplaceId, Place>> = {
  envato: {
    baseAddress: 'https://api.envato.com',
    codeForm: 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH',
  },
  gumroad: {
    baseAddress: 'https://api.gumroad.com',
    codeForm: 'HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH',
  },
  'lemon-squeezy': {
    baseAddress: 'https://api.lemonsqueezy.com',
    codeForm: 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH',
    needsStore: true,
  },
};

/** Returns what must be known of a marketplace before it is asked. */
export function placeOf(marketplace: MarketplaceId): Place {
  return places[marketplace];
}

type Asked = Pick<Connection, 'marketplace' | 'dialect'>;

/** Returns the patterns by which codes of these connections are found in a text, beside the common form. */
export function codePatternsOf(connections: readonly Asked[]): string[] {
  const patterns = connections.flatMap(({ marketplace, dialect }) => [
    ...(dialect.codePattern === undefined ? [] : [dialect.codePattern]),
    ...(marketplace === undefined ? [] : [places[marketplace].codeForm]),
  ]);
  return [...new Set(patterns)];
}

/**
 * Returns the connections that a code is asked at: those whose codes may have its form, dashes and O for 0 apart. Where it fits
 * none, all are asked, since it may be mistyped.
 */
export function connectionsFor<C extends Asked>(code: string, connections: readonly C[]): C[] {
  const fitting = connections.filter(({ marketplace, dialect }) => {
    if (marketplace === undefined) return true;
    const { codePattern } = dialect;
    return [places[marketplace].codeForm, codePattern].some(
      (form) => form !== undefined && fits(code.replaceAll(/o/giu, '0'), form),
    );
  });
  return fitting.length === 0 ? [...connections] : fitting;
}

/** Tells whether a code has the form of a connection's marketplace, dashes and all: it is not mistyped for another one. */
export function hasFormOf(
  connection: Pick<Connection, 'marketplace'> | undefined,
  code: string,
): boolean {
  const { marketplace } = connection ?? {};
  return (
    marketplace !== undefined && code.includes('-') && fits(code, places[marketplace].codeForm)
  );
}

function fits(code: string, form: string): boolean {
  const hasDashes = code.includes('-');
  const shape = parseCodePattern(hasDashes ? form : form.replaceAll('-', ''));
  return shape.ok && matchShape(shape.value, code, 0)?.end === code.length;
}
