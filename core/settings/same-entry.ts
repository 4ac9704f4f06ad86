interface Named {
  readonly id: string;
  readonly name: string;
}
interface Connection extends Named {
  readonly baseAddress: string;
}
interface Authority extends Named {
  readonly address: string;
}

/** Tells whether a stored connection is the one of a file: at the same address, with the same id or name. */
export function isSameConnection(one: Connection, other: Connection): boolean {
  return one.baseAddress === other.baseAddress && isSameNamed(one, other);
}

/** Tells whether a stored authority is the one of a file: at the same address, with the same id or name. */
export function isSameAuthority(one: Authority, other: Authority): boolean {
  return one.address === other.address && isSameNamed(one, other);
}

function isSameNamed(one: Named, other: Named): boolean {
  return one.id === other.id || one.name === other.name;
}
