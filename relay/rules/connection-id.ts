/** Tells whether a connection may have this id: 1 to 40 lower-case letters, digits and dashes. */
export function isConnectionId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(text);
}
