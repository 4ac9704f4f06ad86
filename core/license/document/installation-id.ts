const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads an installation id as a lower-case UUID of any version: spec section 2. Capitals, braces, a `urn:uuid:` before it and
 * missing hyphens are forgiven. `undefined` for anything else.
 */
export function parseInstallationId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (uuidPattern.test(value)) return value;
  const bare = value
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/^\{(.*)\}$/, '$1');
  const hyphened = /^[0-9a-f]{32}$/.test(bare)
    ? bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : bare;
  return uuidPattern.test(hyphened) ? hyphened : undefined;
}

/** Tells whether two texts name the same installation; `undefined` when either is no UUID. */
export function sameInstallation(a: string, b: string): boolean | undefined {
  const [first, second] = [parseInstallationId(a), parseInstallationId(b)];
  return first === undefined || second === undefined ? undefined : first === second;
}
