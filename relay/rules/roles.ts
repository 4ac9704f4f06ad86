/** Names the parts of the account that a role may see; all else of the account but name, currency and dates is left out. */
export const sights = ['balance', 'email', 'profile'] as const;

export type Sight = (typeof sights)[number];

/** Describes what the agents of a role may see beside purchases and items. */
export interface Role {
  readonly name: string;
  readonly sees: readonly Sight[];
}

/** Tells whether text is the name of a part of the account. */
export function isSight(text: string): text is Sight {
  return (sights as readonly string[]).includes(text);
}
