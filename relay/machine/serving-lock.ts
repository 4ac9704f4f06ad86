import { Problem } from '#relay/problem';

/**
 * Lets only one relay at a time serve from an embedded database. The system releases the lock if the process is killed.
 * @throws Problem if another relay serves from it
 */
export function lockForServing(path: string): Disposable {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const lock = new DatabaseSync(`${path}-serving`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { readonly errcode?: number }).errcode !== 5) throw error;
    const message = `Another relay serves from ${path}: end it, or use PostgreSQL, where any number may serve.`;
    throw new Problem(message, { cause: error });
  }
  return lock;
}
