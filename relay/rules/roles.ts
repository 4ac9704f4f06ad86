/** The parts of the account that a role may see. Everything else but name, currency and dates is left out. */
export const accountParts = ['balance', 'email', 'profile'] as const;

/** Everything that a role may see: parts of the account, and the report of the team's checks. */
export const visibleParts = [...accountParts, 'report'] as const;

type VisiblePart = (typeof visibleParts)[number];

export interface Role {
  readonly name: string;
  readonly maySee: readonly VisiblePart[];
}

/** Checks that roles exist. @param named what names them, to begin the message @throws for one that does not, with how to create it */
export async function checkRoles(
  store: { readonly roles: () => Promise<readonly Role[]> },
  wanted: readonly string[],
  named = '',
): Promise<void> {
  const known = new Set((await store.roles()).map(({ name }) => name));
  const missing = wanted.find((name) => !known.has(name));
  if (missing === undefined) return;
  throw new Error(`${named}There is no role ${missing}. To make it: admin roles set ${missing}`);
}
