const heading = '## Unreleased\n';

/**
 * Gives what is unreleased in a changelog a version and a date, below an empty new section.
 * @returns undefined where nothing is unreleased
 */
export function releaseChanges(
  changelog: string,
  version: string,
  date: string,
): string | undefined {
  const start = changelog.indexOf(heading);
  if (start === -1) return undefined;
  const rest = changelog.slice(start + heading.length);
  const section = rest.split(/^## /m)[0] ?? '';
  if (!/^- /m.test(section)) return undefined;
  return `${changelog.slice(0, start)}${heading}\n## ${version} (${date})\n${rest}`;
}

/** Tells whether a text is a version of three numbers, none with a leading zero. */
export function isVersion(text: string): boolean {
  return /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text);
}

/** Tells whether a version, of three numbers, is later than another. */
export function isLater(version: string, than: string): boolean {
  const parts = (text: string): number[] => text.split('.').map(Number);
  const before = parts(than);
  const differing = parts(version).findIndex((part, index) => part !== before[index]);
  return differing !== -1 && (parts(version)[differing] ?? 0) > (before[differing] ?? 0);
}
