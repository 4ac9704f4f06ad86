/** Holds an attack of docs/guards.md, the files of its guard, and the tests that fail without it. */
export interface Guard {
  readonly attack: string;
  readonly files: readonly string[];
  /** Each title is a part of a test's name, or of the group around it. */
  readonly tests: readonly { readonly file: string; readonly titles: readonly string[] }[];
}

/** Reads docs/guards.md. A line that has not the form of the others has an empty attack. */
export function readGuards(document: string): Guard[] {
  return document
    .split('\n')
    .filter((line) => line.startsWith('- **'))
    .map((line) => {
      const [, attack = '', guard = '', test = ''] =
        /^- \*\*(.*?)\.\*\* (.*?) → (.*)$/u.exec(line) ?? [];
      return {
        attack,
        files: [...guard.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path),
        tests: test.split(/(?=`tests\/)/u).flatMap((part) => {
          const file = /^`([^`]+)`/u.exec(part)?.[1];
          const titles = [...part.matchAll(/_([^_]+)_/gu)].map(([, title = '']) => title);
          return file === undefined ? [] : [{ file, titles }];
        }),
      };
    });
}
