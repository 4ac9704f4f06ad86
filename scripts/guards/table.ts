/** An attack of docs/guards.md, and the tests that fail without its guard. */
export interface Guard {
  readonly attack: string;
  /** Each title is a part of a test's name, or of the group around it. */
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

/** Reads docs/guards.md. A line of another form has an empty attack. */
export function readGuards(document: string): Guard[] {
  return document
    .split('\n')
    .filter((line) => line.startsWith('- **'))
    .map((line) => {
      const [, attack = '', test = ''] = /^- \*\*(.*?)\.\*\* (.*)$/u.exec(line) ?? [];
      return {
        attack,
        tests: test.split('; `').flatMap((part) => {
          const path = /^`?([^`]+)`/u.exec(part)?.[1];
          const titles = [...part.matchAll(/_([^_]+)_/gu)].map(([, title = '']) => title);
          return path === undefined ? [] : [{ file: `tests/${path}`, titles }];
        }),
      };
    });
}
