import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { servePwa } from '#scripts/running/serve-pwa';
import { obtainProgram } from '#scripts/machine/separate-packages';
import { obtainChromium } from '#scripts/machine/system-packages';
import { buildVerifierSite, verifierSite } from '#scripts/build/build';
import { endAllOnSignals, root, run } from '#scripts/machine/processes';
import { Refusal, runCommand } from '#scripts/command-line/refusal';

const categories = ['performance', 'accessibility', 'best-practices'] as const;
const minScore = 0.98;

interface Report {
  readonly categories: Record<(typeof categories)[number], { readonly score: number | null }>;
}

endAllOnSignals();

/** Runs Lighthouse on the built verifier site; a score below 0.98 is a failure. */
await runCommand(async () => {
  await buildVerifierSite(console.log);
  const report = join(root, 'reports/lighthouse.json');
  await mkdir(join(root, 'reports'), { recursive: true });
  const { server, address } = await servePwa(verifierSite);
  const { code, output } = await run(
    await obtainProgram('lighthouse'),
    [
      address,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
    ],
    { env: { ...process.env, CHROME_PATH: await obtainChromium(console.log) } },
  );
  server.close();
  if (code !== 0) throw new Refusal(`Lighthouse could not finish: ${output.trim()}`);
  const { categories: found } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const low = categories.filter((name) => (found[name].score ?? 0) < minScore);
  for (const name of categories)
    console.log(`${name}: ${String(found[name].score)} (at least ${String(minScore)})`);
  if (low.length > 0) throw new Refusal(`Below ${String(minScore)}: ${low.join(', ')}.`);
  return 0;
});
