import { spawnSync } from 'node:child_process';

/** Tells whether a program is installed here: tests that need one are left out where it is not. */
export function has(program: string): boolean {
  return spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined;
}
