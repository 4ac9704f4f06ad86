import { statSync } from 'node:fs';

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

/** By SQLite's code, why a file is not a usable database. */
const fileFaults: Readonly<Record<number, string>> = {
  8: 'This account may not write to it',
  11: 'It is damaged: put a backup in its place',
  14: 'This account may not open it, or not write in its folder',
  26: 'It is no database: correct RELAY_DATABASE, or put a backup in its place',
};

/**
 * Explains why a database cannot be used, and what to do.
 * @param place the database that was opened
 * @returns undefined for an unknown error
 */
export function databaseAdvice(error: unknown, place: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return isPostgres(place) ? signInAdvice(error, new URL(place)) : fileAdvice(error, place);
}

function fileAdvice(error: Error, file: string): string | undefined {
  const { errcode = 0, code, path = '' } = error as { errcode?: number } & NodeJS.ErrnoException;
  const isDenied = code === 'EACCES' && path.startsWith(`${file}-`);
  const fault = fileFaults[isDenied ? 8 : errcode & 0xff];
  if (fault === undefined) return undefined;
  const { uid } = statSync(file, { throwIfNoEntry: false }) ?? {};
  const owner =
    uid === undefined || !fault.startsWith('This account')
      ? ''
      : ` (it belongs to user ${String(uid)}, and this is user ${String(process.getuid?.())}): give it and ${file}-wal and -shm to whoever serves, with mode 600`;
  return `${file}: ${fault}${owner}.`;
}

function signInAdvice(error: Error, url: URL): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const role = decodeURIComponent(url.username);
  const message = messageOf(error).replaceAll('\n', '; ');
  const remedy = remedies[code];
  if (remedy !== undefined) return `${role === '' ? '' : `${role}: `}${message}: ${remedy}`;
  // The driver's own errors have no code: here it was asked for a password that it was not given.
  return error.constructor === Error && code === '' && url.password === ''
    ? `DATABASE_URL has no password of ${role}, who cannot sign in (${message}). Where the database asks for one, "admin database create" makes it and writes it into the file`
    : undefined;
}
