/** Names what an import adds to a list and what it changes in it. */
export interface NamedChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
}
