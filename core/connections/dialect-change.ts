import type { Connection, Dialect } from '#core/connections/connection';

type Asked = Pick<Connection, 'baseAddress' | 'dialect'>;

/**
 * Tells whether what a connection has proven still holds after a change: it was proven with this placement and encoding
 * at this address. What the changed dialect says of itself does not count.
 */
export function staysProven(
  before: Asked | undefined,
  { baseAddress, dialect: { keyPlacement, encoding } }: Asked,
): boolean {
  return (
    before?.dialect.proven === true &&
    before.baseAddress === baseAddress &&
    before.dialect.keyPlacement === keyPlacement &&
    before.dialect.encoding === encoding
  );
}

/** Tells whether a change would put a key that goes in a header into parameters, and so into a query. */
export function weakensPlacement(before: Dialect, after: Dialect): boolean {
  return before.keyPlacement !== 'parameter' && after.keyPlacement === 'parameter';
}
