const secretName = /^(?:(?:x[-_]?)?(?:api[-_]?)?key|\w*token|\w*secret|pass(?:word|phrase))$/iu;

/**
 * Finds a member that is named as a secret would be, such as `apiKey` or `controlToken`.
 * @returns its dotted path; undefined when there is none
 */
export function findSecret(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  for (const [name, value] of Object.entries(data)) {
    if (secretName.test(name)) return name;
    const inner = findSecret(value);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}
