import { hostname, userInfo } from 'node:os';

/**
 * Names who runs this program, as the operating system does: `ada@relay-1`; `root@relay-1 for ada` where sudo was used. Nothing
 * proves it, since whoever administers may change any of it.
 */
export function nameOperator(): string {
  const { SUDO_USER: behind = '' } = process.env;
  return `${nameAccount()}@${hostname()}${behind === '' ? '' : ` for ${behind}`}`;
}

function nameAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.())}`;
  }
}
