import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** These are run folder by folder; their own name stands for the files that lie in them directly. */
const split = ['core', 'core/license', 'background'];

/** The parts of these are judged by the tests of the whole folder. */
const judgedTogether = ['core/license', 'background'];

/** The parts of a mutation run: each can run alone and has its own figure. */
export const partNames: readonly string[] = [
  ...split.flatMap((folder) => [folder, ...foldersIn(folder)]),
  'messaging',
].filter((part, index, all) => all.indexOf(part) === index);

/** Returns the files that a part mutates and the tests that judge it, as patterns. */
export function filesOf(part: string): { readonly mutated: string; readonly tests: string } {
  const judge = judgedTogether.find((folder) => part.startsWith(folder)) ?? part;
  return {
    mutated: split.includes(part) ? `${part}/*.ts` : `${part}/**/*.ts`,
    tests: part === 'core' ? 'tests/core/*.test.ts' : `tests/${judge}/**/*.test.ts`,
  };
}

/** Returns the percentage of mutants that a test must notice. */
export function goalOf(part: string): number {
  return /^(?:core\/(?:license|check|verdict|installation)|messaging)\b/.test(part) ? 90 : 80;
}

/** Returns where the results of a part are kept. */
export function reportOf(part: string): string {
  return `reports/mutation/${part.replaceAll('/', '-')}.json`;
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, '../..', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}
