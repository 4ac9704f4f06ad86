/** What a User-Agent holds, with the name to show: the first that it holds counts, since most hold those of others too. */
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

/** Names a browser and its system by its `User-Agent`, such as `Firefox on Windows`; undefined where neither is known. No more of it is kept. */
export function browserNameOf(userAgent: string): string | undefined {
  const browser = browsers.find(([token]) => new RegExp(`\\b${token}\\w*/`).test(userAgent))?.[1];
  const system = systems.find(([token]) => userAgent.includes(token))?.[1];
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} on ${system}`;
}
