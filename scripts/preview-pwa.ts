import { parseArgs } from 'node:util';

import { servePwa } from '#scripts/running/serve-pwa';
import { buildVerifierSite, verifierSite } from '#scripts/build/build';
import { parsePort, Refusal, runCommand } from '#scripts/command-line/refusal';
import { endAllOnSignals, untilAskedToStop } from '#scripts/machine/processes';

const removeSignalHandlers = endAllOnSignals();

await runCommand(async () => {
  const { port, at } = readArguments();
  await buildVerifierSite(console.log);
  const { address } = await servePwa(verifierSite, { port, at }).catch(refuseTakenPort(port));
  console.log(`The verifier is at ${address} (Ctrl-C ends it).`);
  removeSignalHandlers();
  await untilAskedToStop();
  return 0;
});

function readArguments(): { port: number; at: string } {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8797' }, at: { type: 'string', default: '/' } },
  });
  return { port: parsePort(values.port, { min: 0, max: 65_535 }), at: parseFolder(values.at) };
}

/** Parses the path below which the site is served; slashes at its ends may be missing. */
function parseFolder(text: string): string {
  const [path] = /^[\w.~/-]*$/.exec(`/${text}/`.replaceAll(/\/+/g, '/')) ?? [];
  if (path !== undefined) return path;
  throw new Refusal(
    `"${text}" is no path: give one such as /tools/verifier/, of letters, digits, dots, dashes, underscores and tildes.`,
  );
}

function refuseTakenPort(port: number) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Refusal(
      `Port ${String(port)} is in use: give another with "npm run preview:pwa -- --port ${String(port + 1)}".`,
    );
  };
}
