import { accessSync, constants } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { chromiumBuild, extensionId } from '#scripts/running/extension';

/** The folder of Debian's Chromium; the browser reads every file in it, whoever runs it. */
const chromiumPolicies = '/etc/chromium/policies/managed';

/** Writes a policy, changes it and takes it away. */
export interface PolicyFile {
  /** @param settings the value of the policy; a text, unless it is to be wrong */
  write(settings: unknown): Promise<void>;
  /** Takes the policy away, and all that was made for it. */
  remove(): Promise<void>;
}

/** Tells why Chromium can be given no policy here; undefined when it can. */
export function whyNoChromiumPolicy(): string | undefined {
  // The first folder of the path that is there.
  for (let folder = chromiumPolicies; ; folder = dirname(folder)) {
    try {
      accessSync(folder, constants.F_OK);
    } catch {
      continue;
    }
    try {
      accessSync(folder, constants.W_OK);
      return undefined;
    } catch {
      return `Chromium reads policies from ${chromiumPolicies} alone, and only root may write there.`;
    }
  }
}

/**
 * Makes a policy for a copy of the Chromium build. Chromium's policies are the machine's, but each names an extension
 * by its id, and a copy in a folder of its own has one of its own: no other browser that runs meanwhile takes notice.
 */
export async function chromiumPolicy(): Promise<PolicyFile & { readonly build: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-policy-'));
  const build = join(folder, 'chrome-mv3');
  await cp(chromiumBuild, build, { recursive: true });
  const file = join(chromiumPolicies, `${basename(folder)}.json`);
  const draft = join(dirname(chromiumPolicies), `${basename(folder)}.json`);
  const made = await mkdir(chromiumPolicies, { recursive: true });
  const writtenAt = new Date();
  const folders = [chromiumPolicies, dirname(chromiumPolicies)];
  return {
    build,
    async write(settings) {
      const extensions = { [extensionId(build)]: { settings } };
      await writeFile(draft, JSON.stringify({ '3rdparty': { extensions } }), { mode: 0o644 });
      // Chromium reads a changed policy at once, but for a newer file it waits 5 s in case more are to come.
      await utimes(draft, writtenAt, writtenAt);
      await rename(draft, file);
    },
    async remove() {
      await rm(file, { force: true });
      // Those that were made here, unless somebody else has a policy there by now.
      for (const each of folders)
        if (made !== undefined && each.startsWith(made)) await rmdir(each).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes a policy for an installation of Firefox of its own, which it reads when it starts: the files of the machine's
 * Firefox, and beside them a `distribution` folder.
 * @param executable the machine's Firefox
 */
export async function firefoxPolicy(
  executable: string,
): Promise<PolicyFile & { readonly executable: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-policy-'));
  const binary = await realpath(executable);
  const installed = dirname(binary);
  // Firefox looks for the folder beside the file that runs, so that file must not be a link.
  for (const name of await readdir(installed))
    if (name === basename(binary)) await copyFile(binary, join(folder, name));
    else if (name !== 'distribution') await symlink(join(installed, name), join(folder, name));
  const distribution = join(folder, 'distribution');
  await mkdir(distribution);
  return {
    executable: join(folder, basename(binary)),
    async write(settings) {
      const policies = { '3rdparty': { Extensions: { 'counterfoil@example.org': { settings } } } };
      await writeFile(join(distribution, 'policies.json'), JSON.stringify({ policies }));
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
