/** The parts of the account that a role may see; all else of the account but name, currency and dates is left out. */
export const accountParts = ['balance', 'email', 'profile'] as const;

/** All that a role may see: of the account, and the report of what the team has checked. */
export const visibleParts = [...accountParts, 'report'] as const;

type VisiblePart = (typeof visibleParts)[number];

export interface Role {
  readonly name: string;
  readonly maySee: readonly VisiblePart[];
}

/** Checks that roles are there. @param named by whom, to begin the message with @throws for one that is not, with how to make it */
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
