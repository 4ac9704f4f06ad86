import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePorts, root } from '#scripts/machine/processes';
import { findProgram } from '#scripts/machine/system-packages';

/** Runs the built verifier on a real web server, under the configuration that we hand out. */
export interface HostedSite {
  /** Where the verifier stands, with a closing slash. */
  readonly address: string;
  /** The folder that is served; what is copied there is served at once. */
  readonly folder: string;
  stop(): Promise<void>;
}

type WebServer = 'nginx' | 'Caddy';

/**
 * Starts a web server of Debian with our configuration, on a free port and without TLS, and serves a copy of a built
 * site.
 */
export async function hostSite(
  server: WebServer,
  built: string,
  at: '/verifier/' | '/' = '/verifier/',
): Promise<HostedSite> {
  const place = await mkdtemp(join(tmpdir(), 'counterfoil-hosted-'));
  const folder = join(place, 'verifier');
  await cp(built, folder, { recursive: true });
  const [port] = await freePorts(1);
  const arguments_ = await (server === 'nginx' ? nginx : caddy)(
    place,
    folder,
    port,
    at === '/' ? '-root' : '',
  );
  const program = server.toLowerCase();
  const environment = { ...process.env, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place };
  const child = spawn(findProgram(program) ?? program, arguments_, {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
  const address = `http://127.0.0.1:${String(port)}${at}`;
  await untilServed(address, child, errors);
  return {
    address,
    folder,
    async stop() {
      if (child.exitCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Writes what surrounds the configuration in nginx's own main file; returns the arguments to start it with. */
async function nginx(
  place: string,
  folder: string,
  port: number,
  variant: string,
): Promise<string[]> {
  const site = (await handedOut(`nginx${variant}.conf`))
    .replace('listen 443 ssl;', `listen 127.0.0.1:${String(port)};`)
    .replace(/ssl_certificate(?:_key)? .*\n/g, '\n')
    .replace('/var/www/verifier/', `${folder}/`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(place, kind)};`)
    .join('\n');
  // As root its workers would run as a user who may not read a temporary folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} daemon off; worker_processes 1; pid ${join(place, 'pid')}; error_log stderr;
events {}
http { access_log off; ${paths}
${site} }`;
  const file = join(place, 'nginx.conf');
  await writeFile(file, main);
  return ['-e', 'stderr', '-p', place, '-c', file];
}

async function caddy(
  place: string,
  folder: string,
  port: number,
  variant: string,
): Promise<string[]> {
  const site = (await handedOut(`Caddyfile${variant}`))
    .replace(/^verifier\.example/m, `http://127.0.0.1:${String(port)}`)
    .replace('/var/www/verifier', folder);
  const file = join(place, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n}\n${site}`);
  return ['run', '--config', file, '--adapter', 'caddyfile'];
}

function handedOut(name: string): Promise<string> {
  return readFile(join(root, 'pwa/hosting', name), 'utf8');
}

async function untilServed(
  address: string,
  child: ChildProcess,
  errors: readonly string[],
): Promise<void> {
  while (child.exitCode === null) {
    if (
      await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((again) => setTimeout(again, 50));
  }
  throw new Error(`The server has ended: ${errors.join('')}`);
}

/** Replaces a built site by one with another title, as a new version would. */
export async function writeNewerSite(folder: string): Promise<void> {
  const shell = join(folder, 'index.html');
  const worker = join(folder, 'service-worker.js');
  const page = await readFile(shell, 'utf8');
  await writeFile(shell, page.replace('Counterfoil Verifier</title>', 'Newer Verifier</title>'));
  const script = await readFile(worker, 'utf8');
  const newer = script
    .replace(/("?url"?:\s*["'`]index\.html["'`],\s*"?revision"?:\s*["'`])\w+/, '$1newer')
    .replace(/("?revision"?:\s*["'`])\w+(["'`],\s*"?url"?:\s*["'`]index\.html)/, '$1newer$2');
  if (newer === script) throw new Error('The service worker names no revision of the page.');
  await writeFile(worker, newer);
}

/** Returns a file of the folder of assets, by its ending. */
export async function assetOf(folder: string, ending: string): Promise<string> {
  const name = (await readdir(join(folder, 'assets'))).find((entry) => entry.endsWith(ending));
  if (name === undefined) throw new Error(`No asset ends in ${ending}.`);
  return `assets/${name}`;
}
