import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

import { Problem } from '#relay/problem';

/** The files that commands read in their working folder; the owner's is only for the administrator's commands. */
export const environmentFiles = { everybody: 'relay.env', owner: 'owner.env' } as const;

export function readVariables(file: string): Readonly<Record<string, string | undefined>> {
  // An older Node lacks this function, and must start in order to report what it lacks.
  const { parseEnv } = process.getBuiltinModule('node:util');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Sets variables in a file that only its owner may read, in a form that systemd and Node read, without changing its other lines. */
export function writeVariables(file: string, variables: Readonly<Record<string, string>>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8').replace(/(?<=[^\n])$/, '\n') : '';
  const after = Object.entries(variables).reduce((text, [name, value]) => {
    const line = `${name}=${quoted(value)}`;
    const found = new RegExp(`^#?${name}=.*$`, 'm');
    return found.test(text) ? text.replace(found, () => line) : `${text}${line}\n`;
  }, before);
  if (after !== before) writeFileSync(file, after, { mode: 0o600 });
  // An existing file keeps its mode, since it may be readable for its group on purpose.
  if (isOpenToAll(file)) chmodSync(file, 0o600);
}

/** Tells whether everybody on this machine may read a file. */
export function isOpenToAll(file: string): boolean {
  const { mode = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return process.platform !== 'win32' && (mode & 0o007) !== 0;
}

/** Quotes a value so that systemd and Node read it the same way. @throws Problem if no way of quoting does that */
function quoted(value: string): string {
  if (/^[\w.:/@?&=%+,~-][\w.:/@?&=%+,~ -]*$/.test(value)) return value.trimEnd();
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`;
  if (!/["\\$`\p{Cc}]/u.test(value)) return `"${value}"`;
  throw new Problem(`This cannot stand in a file of the environment: ${value}`);
}
