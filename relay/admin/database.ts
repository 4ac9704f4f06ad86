import { parseArgs } from 'node:util';

import { AdminProblem } from '#relay/admin/problem';
import { isPostgres } from '#relay/store/open-store';
import { prepareDatabase } from '#relay/store/postgres/prepare';

/** Makes or upgrades the schema of a database in PostgreSQL; an embedded one is upgraded when it is opened. @throws AdminProblem */
export async function prepare(
  place: string,
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { runner: { type: 'string' } } });
  if (!isPostgres(place)) throw new AdminProblem('Only a database in PostgreSQL is prepared.');
  const { version, runner } = await prepareDatabase(place, values.runner);
  const serving = runner === '' ? 'No role may serve yet: --runner ROLE' : `${runner} may serve.`;
  print(`The database has schema ${String(version)}. ${serving}`);
}
