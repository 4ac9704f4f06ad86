import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { namedFiles } from '#scripts/build/module-sizes';
import { chromiumBuild, extensionId } from '#scripts/running/extension';
import { root } from '#scripts/machine/processes';

const sources = join(root, 'bench/bare');

/** Holds the built bare extension. Its place is always the same, since an unpacked extension has its id from it. */
export const bareBuild = join(root, '.output/bare');

export const bareId = extensionId(bareBuild);

/**
 * Builds the extension that only does what a limit asks for. Its worker holds ours as a function that nobody calls, so that
 * both are read and compiled from as many bytes; its Vue page has as many script files as our popup.
 */
export function buildBare(): void {
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
