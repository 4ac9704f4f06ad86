import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Refusal } from '#scripts/command-line/refusal';
import { installPackages } from '#scripts/machine/system-packages';

/**
 * Names the servers that tests start. Each has a Debian package of the same name, and a variable of the environment in
 * capitals.
 */
type Server = 'caddy' | 'haproxy' | 'nginx';

/** Finds a server: its variable of the environment, else on the PATH, else where Debian puts it. */
function findServer(server: Server): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return [process.env[server.toUpperCase()], ...folders.map((folder) => join(folder, server))].find(
    (file) => file !== undefined && existsSync(file),
  );
}

/** Returns `findServer`, else installs Debian's package. Throws a `Refusal` when neither works. */
export async function obtainServer(server: Server): Promise<string> {
  const found = findServer(server);
  if (found !== undefined) return found;
  await installPackages(server);
  const installed = findServer(server);
  if (installed !== undefined) return installed;
  throw new Refusal(
    `${server} is not on this machine and could not be installed: install it (on Debian: apt-get install ${server}), or set ${server.toUpperCase()} to its file.`,
  );
}
