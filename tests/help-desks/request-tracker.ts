import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { freePorts, run } from '#scripts/machine/processes';

/** Describes a ticket to be created. */
export interface NewTicket {
  readonly subject: string;
  readonly type: 'text/plain' | 'text/html';
  readonly text: string;
  readonly attached?: readonly { readonly name: string; readonly text: string }[];
}

/** Runs Request Tracker as Debian packages it, on a database of its own. */
export interface RequestTracker {
  readonly origin: string;
  /** The account of its administrator. */
  readonly user: { readonly name: string; readonly password: string };
  /** Creates a ticket as the administrator. @returns its number */
  createTicket(ticket: NewTicket): Promise<number>;
  close(): Promise<void>;
}

const user = { name: 'root', password: 'password' };
/** Milliseconds. It is up in about ten seconds on an idle machine. */
const startTimeoutMs = 120_000;

/** Starts Request Tracker at a free port of localhost. Its files lie in a folder that goes when it is closed. */
export async function startRequestTracker(): Promise<RequestTracker> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-rt-'));
  const [port] = await freePorts(1);
  const origin = `http://localhost:${String(port)}`;
  const config = join(folder, 'RT_SiteConfig.pm');
  await mkdir(join(folder, 'no-more-config'));
  await writeFile(config, configOf(folder, port));
  const env = {
    ...process.env,
    RT_SITE_CONFIG: config,
    // Debian's own database stays as it is.
    RT_SITE_CONFIG_DIR: join(folder, 'no-more-config'),
  };
  const setup = await run('rt-setup-database-5', ['--action', 'init', '--skip-create'], { env });
  if (setup.code !== 0) throw new Error(`Request Tracker made no database.\n${setup.output}`);

  const server = spawn(
    'plackup',
    [
      '-s',
      'Starlet',
      '--max-workers',
      '2',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '/usr/share/request-tracker5/libexec/rt-server',
    ],
    { env, stdio: 'ignore', detached: true },
  );
  // Its workers are of its process group.
  const end = (): void => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
  };
  process.once('exit', end);
  const close = async (): Promise<void> => {
    process.off('exit', end);
    end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  if (!(await answers(origin))) {
    await close();
    throw new Error('Request Tracker did not start.');
  }

  return {
    origin,
    user,
    async createTicket({ subject, type, text: content, attached = [] }) {
      const created = await askRest(`${origin}/REST/2.0/ticket`, {
        Queue: 'General',
        Subject: subject,
        Requestor: 'customer@example.test',
        Content: content,
        ContentType: type,
        Attachments: attached.map(({ name, text }) => ({
          FileName: name,
          FileType: 'application/octet-stream',
          FileContent: Buffer.from(text).toString('base64'),
        })),
      });
      return Number((created as { id: string }).id);
    },
    close,
  };
}

function configOf(folder: string, port: number): string {
  const settings = {
    rtname: 'example.test',
    Organization: 'example.test',
    WebDomain: 'localhost',
    WebPort: port,
    DatabaseType: 'SQLite',
    DatabaseName: join(folder, 'rt.db'),
    LogDir: folder,
    LogToSyslog: '',
    WebSessionClass: 'Apache::Session::File',
    WebSecureCookies: 0,
    // It mails nobody.
    MailCommand: 'testfile',
  };
  const lines = Object.entries(settings).map(
    ([name, value]) =>
      `Set($${name}, ${typeof value === 'number' ? String(value) : `'${value}'`});`,
  );
  return `${lines.join('\n')}\n1;\n`;
}

async function askRest(address: string, body: object): Promise<unknown> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
  return response.json();
}

async function answers(origin: string): Promise<boolean> {
  const end = Date.now() + startTimeoutMs;
  while (Date.now() < end) {
    const response = await fetch(origin).catch(() => undefined);
    if (response?.ok === true) return true;
    await pause(250);
  }
  return false;
}
