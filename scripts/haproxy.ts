import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { installDebianPackages } from '#scripts/debian';
import { Refusal } from '#scripts/refusal';

/** Finds haproxy: `HAPROXY` from the environment, else on the PATH, else where Debian puts it. */
function findHaproxy(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return [process.env['HAPROXY'], ...folders.map((folder) => join(folder, 'haproxy'))].find(
    (file) => file !== undefined && existsSync(file),
  );
}

/** Returns `findHaproxy`, else installs Debian's package. Throws a `Refusal` when neither works. */
export async function obtainHaproxy(): Promise<string> {
  const found = findHaproxy();
  if (found !== undefined) return found;
  await installDebianPackages('haproxy');
  const installed = findHaproxy();
  if (installed !== undefined) return installed;
  throw new Refusal(
    'haproxy is not on this machine and could not be installed: install it (on Debian: apt-get install haproxy), or set HAPROXY to its file.',
  );
}
