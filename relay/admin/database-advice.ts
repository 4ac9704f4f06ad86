import { messageOf } from '#relay/problem';
import { isPostgres } from '#relay/store/index';

const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'start the database, or correct host and port in DATABASE_URL',
  ENOTFOUND: 'correct the host in DATABASE_URL',
  ENOENT: 'correct the socket in DATABASE_URL, or start the database',
  '28P01': 'correct the password in DATABASE_URL, or set it anew with "admin database create"',
  '28000': 'let the role in (pg_hba.conf), or correct it in DATABASE_URL',
  '3D000': 'make the database with "admin database create", or correct its name in DATABASE_URL',
};

/**
 * Says why a role of PostgreSQL cannot sign in, and what to do.
 * @param address what was signed in with
 * @returns undefined when nothing is known of such an error
 */
export function signInAdvice(error: unknown, address: string): string | undefined {
  const url = isPostgres(address) ? URL.parse(address) : null;
  if (url === null || !(error instanceof Error)) return undefined;
  const { code = '' } = error as NodeJS.ErrnoException;
  const role = decodeURIComponent(url.username);
  const message = messageOf(error).replaceAll('\n', '; ');
  const remedy = remedies[code];
  if (remedy !== undefined) return `${role === '' ? '' : `${role}: `}${message}: ${remedy}`;
  // The driver itself, which has no codes, is asked for a password that it was not given.
  return error.constructor === Error && code === '' && url.password === ''
    ? `DATABASE_URL has no password of ${role}, who cannot sign in (${message}). Where the database asks for one, "admin database create" makes it and writes it into the file`
    : undefined;
}
