import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { copyFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { freePorts, run } from '#scripts/machine/processes';
import { type CountingUpstream, countingUpstream } from '#tests/relay/support/counting-upstream';
import { callThrough, validation } from '#tests/relay/support/relay';
import { type ProgramEnd, runProgram } from '#tests/relay/support/run-program';

const folder = mkdtempSync(join(tmpdir(), 'relay-executable-'));
const beside = join(folder, 'beside');
const program = join(folder, 'counterfoil-relay');
let seller: CountingUpstream;

beforeAll(async () => {
  seller = await countingUpstream();
  mkdirSync(beside);
  const options = ['--out', beside, '--executable', program];
  const { code, output } = await run('node', ['scripts/build-relay.ts', ...options]);
  expect([code, output]).toEqual([0, expect.stringContaining('as one file') as string]);
}, 300_000);
afterAll(async () => {
  await seller.close();
  rmSync(folder, { recursive: true });
});

/** Runs the relay's program, wherever it is. @param env as container and machine both have it */
type Run = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
) => Promise<ProgramEnd>;

/**
 * Goes from nothing to a first answer and a report, as the guide does.
 * @param serve starts the relay; returns what stops it
 */
async function walk(
  runRelay: Run,
  serve: (env: Readonly<Record<string, string>>) => Promise<() => Promise<unknown>>,
): Promise<void> {
  const [port] = await freePorts(1);
  const env = { RELAY_PORT: String(port), RELAY_METRICS_PORT: '0' };
  const init = ['init', '--marketplace', seller.origin, '--agent', 'ada@team.test'];
  const told = await runRelay(init, env, 'key-0123456789');
  expect([told.status, told.stderr]).toEqual([0, '']);
  expect((await runRelay(['ready'], env)).status).toBe(1);
  const stop = await serve(env);
  try {
    const ready = async (): Promise<number | null> => (await runRelay(['ready'], env)).status;
    await expect.poll(ready, { timeout: 30_000 }).toBe(0);
    const redeemed = await runRelay(['admin', 'invites', 'redeem'], env, told.stdout);
    const base = `http://127.0.0.1:${String(port)}/c/shop`;
    const reply = await callThrough(base, redeemed.stdout.trim(), validation, { code: 'c' });
    expect([reply.status, await reply.json()]).toMatchObject([200, { status: 'success' }]);
    const month = new Date().toISOString().slice(0, 7);
    const report = await runRelay(['admin', 'report', '--month', month], env);
    expect(report.stdout).toMatch(/^agent,ada@team\.test,1,1,0,0,0,1\r?$/m);
  } finally {
    await stop();
  }
}

describe('as one file', () => {
  let place: string;
  let runRelay: Run;
  beforeEach(() => {
    place = mkdtempSync(join(folder, 'place-'));
    // Without a Node, or anything else, on its PATH.
    runRelay = (args, env, input = '') =>
      runProgram(program, args, { cwd: place, env: { ...env, PATH: '' }, input });
  });

  test('the relay sets itself up, serves and answers', async () => {
    await walk(runRelay, (env) => {
      const relay = spawn(program, [], { cwd: place, env: { ...env, PATH: '' }, stdio: 'ignore' });
      const ended = new Promise((resolve) => relay.once('exit', resolve));
      return Promise.resolve(async () => {
        relay.kill('SIGTERM');
        expect(await ended).toBe(0);
      });
    });
  });

  test('it is of the same version as the folder, and says how it is called itself', async () => {
    const [one, other] = [
      await runRelay(['--version'], {}),
      await runProgram(process.execPath, [join(beside, 'relay.mjs'), '--version']),
    ];
    expect(one).toEqual(other);
    expect((await runRelay(['--help'], {})).stdout).toContain('  ./counterfoil-relay admin');
  });

  test('it holds the files that lie beside the program, and the licenses of Node', async () => {
    expect(await runRelay(['files', 'held'], {})).toMatchObject({ status: 0, stderr: '' });
    const held = join(place, 'held');
    const names = readdirSync(beside).filter((name) => name !== 'relay.mjs');
    expect(readdirSync(held).toSorted()).toEqual([...names, 'node-third-party.md'].toSorted());
    for (const name of names)
      expect(readFileSync(join(held, name))).toEqual(readFileSync(join(beside, name)));
    expect(readFileSync(join(held, 'node-third-party.md'), 'utf8')).toContain(
      'Node.js is licensed',
    );
    // Nothing of an operator's is written over.
    expect((await runRelay(['files', 'held'], {})).status).toBe(1);
  });
});

const base = 'localhost/counterfoil-relay-test-base';
const image = 'localhost/counterfoil-relay-test';
/** What this machine may need before podman starts a container on it. */
const ways = [
  { podman: [], run: [] },
  {
    podman: ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'],
    run: ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=512:512'],
  },
];

/** Builds an image with the libraries of this machine, in the place of the one from a registry. */
const buildBase = `set -e
container=$(buildah from scratch)
mounted=$(buildah mount "$container")
for file in $(ldd "$1" | grep -o '/[^ ]*'); do mkdir -p "$mounted$(dirname "$file")"; cp -L "$file" "$mounted$file"; done
mkdir "$mounted/tmp"
buildah umount "$container" && buildah commit -q "$container" ${base} && buildah rm "$container"`;

/** Makes the image by the Containerfile, and finds a way to run it; a sentence where that cannot be had here. */
async function buildImage(): Promise<(typeof ways)[number] | string> {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const made = await run('bash', ['-c', buildBase, 'bash', program], { env });
  if (made.code !== 0) return `buildah makes no image here: ${made.output.slice(0, 300)}`;
  const context = join(folder, 'image');
  mkdirSync(context);
  for (const name of ['Containerfile', 'relay.env'])
    await copyFile(join(beside, name), join(context, name));
  await cp(program, join(context, 'counterfoil-relay'));
  const options = ['--format', 'docker', '--build-arg', `BASE=${base}`, '--tag', image];
  expect(await run('buildah', ['build', ...options, context], { env })).toMatchObject({ code: 0 });
  for (const way of ways) {
    const args = [...way.podman, 'run', '--rm', ...way.run, '--no-healthcheck', image, '--version'];
    if ((await run('podman', args)).code === 0) return way;
  }
  return 'podman starts no container here';
}

test('as one image the relay sets itself up, serves and answers, with a root that it cannot write to', async ({
  skip,
}) => {
  const way = await buildImage();
  if (typeof way === 'string') skip(way);
  else {
    const volume = `counterfoil-relay-test-${String(process.pid)}`;
    const bounds =
      '--no-healthcheck --network host --read-only --cap-drop all --security-opt no-new-privileges';
    const begin = (env: Readonly<Record<string, string>>, how: string): string[] => [
      ...way.podman,
      'run',
      '--rm',
      how,
      ...way.run,
      ...bounds.split(' '),
      `--volume=${volume}:/relay`,
      ...Object.entries(env).map((pair) => `--env=${pair.join('=')}`),
      image,
    ];
    const runRelay: Run = (args, env, input = '') =>
      runProgram('podman', [...begin(env, '--interactive'), ...args], { input });
    try {
      await walk(runRelay, async (env) => {
        const started = await runProgram('podman', begin(env, '--detach'));
        expect(started.status).toBe(0);
        return () => runProgram('podman', ['stop', started.stdout.trim()]);
      });
      const inspect = ['volume', 'inspect', volume, '--format', '{{.Mountpoint}}'];
      const { stdout } = await runProgram('podman', inspect);
      const kept = stdout.trim();
      for (const name of ['relay.db', 'master.key', 'relay.env']) {
        const { uid, mode } = statSync(join(kept, name));
        expect([name, uid, mode & 0o022]).toEqual([name, 65_532, 0]);
      }
      const details = ['image', 'inspect', image, '--format', '{{.User}} {{json .HealthCheck}}'];
      expect((await runProgram('podman', details)).stdout).toContain('65532:65532 {"Test":["CMD"');
    } finally {
      await run('podman', ['volume', 'rm', '--force', volume]);
      await run('podman', ['rmi', '--force', image, base]);
    }
  }
}, 300_000);
