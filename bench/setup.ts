import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { market } from '#sandbox/seed/accounts';
import { type Sandbox, startSandbox } from '#sandbox/server';
import { namedFiles } from '#scripts/build/module-sizes';
import { root } from '#scripts/machine/processes';
import type { ConnectionEntry } from '#scripts/running/agent';
import {
  chromiumBuild,
  type Extension,
  extensionId,
  grantHosts,
  launchExtension,
} from '#scripts/running/extension';
import { addConnectionQuietly, withQuietPage } from '#tests/support/quiet-page';

/**
 * What every measurement may use: one browser with the production build and the bare extension, and the sandbox.
 */
export interface BenchSetup {
  /** The browser's program. */
  readonly executablePath: string;
  readonly extension: Extension;
  readonly connection: ConnectionEntry;
  /** Genuine codes at that connection. */
  readonly codes: readonly string[];
  /** Returns a genuine code that was not returned before, since a kept reply would measure nothing. */
  readonly freshCode: () => string;
  readonly sandbox: Sandbox;
}

/** All measurements of one run together ask for no more codes than these. */
const freshCodes = 20_000;

/**
 * Starts the sandbox and a browser with both extensions.
 * @param profile an empty folder
 */
export async function createBenchSetup(
  profile: string,
  executablePath: string,
): Promise<{ setup: BenchSetup; close: () => Promise<void> }> {
  buildBare();
  const sandbox = await startSandbox({ port: 0, db: ':memory:' });
  const fresh = addPurchases(sandbox);
  await grantHosts(profile, ['http://127.0.0.1/*', 'http://localhost/*']);
  const extension = await launchExtension(profile, {
    executablePath,
    headless: true,
    beside: [bareBuild],
  });
  const connection = {
    name: 'Market',
    baseAddress: `${sandbox.origin}/market`,
    apiKey: sandbox.keys['/market'],
  };
  await withQuietPage(extension, (quiet) =>
    // Two codes a second would be its pace otherwise.
    addConnectionQuietly(quiet, connection, { requestsPerMinute: 6000 }),
  );
  return {
    setup: {
      executablePath,
      extension,
      connection,
      codes: market.purchases.map(({ code }) => code),
      freshCode: () => {
        const { value } = fresh.next();
        if (value === undefined) throw new Error('There are too few codes to ask about.');
        return value;
      },
      sandbox,
    },
    close: async () => {
      await extension.context.close();
      await sandbox.close();
    },
  };
}

/** Adds purchases of the shop's items to its database. Returns their codes. */
function addPurchases({ database }: Sandbox): Iterator<string, undefined> {
  const codes = Array.from(
    { length: freshCodes },
    (_, at) => `f5e50000-59f5-42e3-a62a-${String(at).padStart(12, '0')}`,
  );
  const add = database.prepare(
    `INSERT INTO seller_purchase SELECT account, ?, item, license, price, bought_from, bought_ms,
      supported_from, supported_ms, downloaded FROM seller_purchase WHERE code = ?`,
  );
  const sold = market.purchases[0]?.code ?? '';
  database.exec('BEGIN');
  for (const code of codes) add.run(code, sold);
  database.exec('COMMIT');
  return codes[Symbol.iterator]();
}

const sources = join(root, 'bench/bare');

/** The built bare extension. Its place is always the same, since an unpacked extension has its id from it. */
export const bareBuild = join(root, '.output/bare');

export const bareId = extensionId(bareBuild);

/**
 * Builds the extension that only does what a limit asks for. Its worker holds ours as a function that nobody calls, so
 * that both are read and compiled from as many bytes; its Vue page has as many script files as our popup.
 */
function buildBare(): void {
  rmSync(bareBuild, { recursive: true, force: true });
  mkdirSync(bareBuild, { recursive: true });
  cpSync(sources, bareBuild, { recursive: true });

  const ours = readFileSync(join(chromiumBuild, 'background.js'), 'utf8');
  const worker = readFileSync(join(sources, 'worker.js'), 'utf8');
  writeFileSync(join(bareBuild, 'worker.js'), `${worker}\nfunction unused() {\n${ours}\n}\n`);

  const vue = join(root, 'node_modules/vue/dist/vue.runtime.esm-browser.prod.js');
  cpSync(vue, join(bareBuild, 'vue.js'));
  const scripts = namedFiles(chromiumBuild, 'popup.html').filter((path) => path.endsWith('.js'));
  // Two of them are Vue and the page's own.
  const others = Array.from(
    { length: Math.max(0, scripts.length - 2) },
    (_, at) => `part-${String(at)}.js`,
  );
  for (const name of others) writeFileSync(join(bareBuild, name), 'export const part = 1;\n');
  const page = readFileSync(join(sources, 'vue-page.js'), 'utf8');
  const imports = others.map((name) => `import './${name}';`).join('\n');
  const bundled = page.replace("from 'vue'", "from './vue.js'");
  writeFileSync(join(bareBuild, 'vue-page.js'), `${imports}\n${bundled}`);
}
