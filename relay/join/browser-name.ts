/** Marks in the User-Agent with the name to show. The first match counts, since most contain other browsers' marks too. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Vivaldi', 'Vivaldi'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Names a browser and its system by its `User-Agent`: `Firefox on Windows`; undefined if neither is known. Nothing else is stored. */
export function browserNameOf(userAgent: string): string | undefined {
  const browser = browsers.find(([token]) => new RegExp(`\\b${token}\\w*/`).test(userAgent))?.[1];
  const system = systems.find(([token]) => userAgent.includes(token))?.[1];
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} on ${system}`;
}
