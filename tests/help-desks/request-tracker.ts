import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import {
  createPlace,
  type HelpDesk,
  type NewTicket,
  type ReplyEditor,
} from '#tests/help-desks/help-desk';
import { run } from '#scripts/machine/processes';

/** Adds attached files to a ticket, by their text. */
interface TicketWithFiles extends NewTicket {
  readonly attached?: readonly { readonly name: string; readonly text: string }[];
}

/** Runs Request Tracker as Debian packages it, on a database of its own. */
export interface RequestTracker extends HelpDesk {
  createTicket(ticket: TicketWithFiles): Promise<number>;
}

const user = { name: 'root', password: 'password' };

/** Starts Request Tracker at a free port of localhost. Its files lie in a folder that goes when it is closed. */
export async function startRequestTracker(): Promise<RequestTracker> {
  const { folder, origin, ports, serve, close } = await createPlace();
  const [port] = ports;
  const config = join(folder, 'RT_SiteConfig.pm');
  await mkdir(join(folder, 'no-more-config'));
  await writeFile(config, configOf(folder, port));
  const env = {
    RT_SITE_CONFIG: config,
    // Debian's own database stays as it is.
    RT_SITE_CONFIG_DIR: join(folder, 'no-more-config'),
  };
  const setup = await run('rt-setup-database-5', ['--action', 'init', '--skip-create'], { env });
  if (setup.code !== 0) throw new Error(`Request Tracker made no database.\n${setup.output}`);
  const listen = ['--host', '127.0.0.1', '--port', String(port)];
  const program = '/usr/share/request-tracker5/libexec/rt-server';
  const args = ['-s', 'Starlet', '--max-workers', '2', ...listen, program];
  await serve({ command: 'plackup', args, env });

  const editor = (choice: 'yes' | 'no'): ReplyEditor => ({
    type: 'text/plain',
    async open(page, ticket) {
      await page.goto(`${origin}/Prefs/Other.html`);
      await page.locator(`#MessageBoxRichText-${choice}`).check({ force: true });
      await page.getByRole('button', { name: 'Save Changes' }).first().click();
      await page.waitForLoadState();
      await openTicket(page, ticket);
      const link = page.locator(
        '.transaction a[href*="Action=Respond"][href*="QuoteTransaction="]',
      );
      await page.goto(await link.first().evaluate((one) => (one as HTMLAnchorElement).href));
      return choice === 'yes'
        ? page.locator('.messagebox-container iframe').first().contentFrame().locator('body')
        : page.locator('textarea.messagebox');
    },
  });
  const openTicket = async (page: Page, ticket: number): Promise<void> => {
    await page.goto(`${origin}/Ticket/Display.html?id=${String(ticket)}`);
    await page.locator('.transaction .messagebody').first().waitFor();
  };

  return {
    origin,
    async logIn(page) {
      await page.goto(origin);
      await page.locator('input[name="user"]').fill(user.name);
      await page.locator('input[name="pass"]').fill(user.password);
      await page.locator('input[name="pass"]').press('Enter');
      await page.waitForURL((url) => !url.pathname.includes('NoAuth'));
    },
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
    openTicket,
    editors: { rich: editor('yes'), plain: editor('no') },
    async send(page, ticket) {
      await page.locator('input[name="SubmitTicket"]').first().click();
      await page.waitForURL(/Display/u);
      await openTicket(page, ticket);
      return page.locator('.transaction.message .messagebody').last().innerText();
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
