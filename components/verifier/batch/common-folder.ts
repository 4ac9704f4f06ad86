/**
 * Returns the path that all names begin with, including the last slash; empty for fewer than two names.
 * @example commonFolder(['samples/a.lic', 'samples/old/b.lic']) // 'samples/'
 */
export function commonFolder(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  for (const name of others)
    while (!name.startsWith(folder))
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}

/**
 * Returns the ending common to all names; empty for fewer than two names.
 * @example commonEnd(['customer-1-state.json', 'customer-2-state.json']) // '-state.json'
 */
export function commonEnd(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let end = first;
  for (const name of others) while (!name.endsWith(end)) end = end.slice(1);
  return end;
}
