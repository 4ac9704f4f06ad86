import { chmod, chown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, type Page } from '@playwright/test';

import { run } from '#scripts/machine/processes';
import { createPlace, type HelpDesk } from '#tests/help-desks/help-desk';

/**
 * Starts Roundcube at a free port of localhost, over a mailbox of dovecot. Its files lie in a folder that goes when it
 * is closed.
 */
export async function startRoundcube(): Promise<HelpDesk> {
  const { folder, origin, ports, serve, close } = await createPlace();
  const [port, imap, smtp] = ports.map(String);
  const mailbox = join(folder, 'mail');
  const sent = join(folder, 'sent');
  for (const each of ['config', 'temp', 'logs', 'run', 'mail', 'mail/new', 'mail/cur', 'mail/tmp'])
    await mkdir(join(folder, each));

  const database = new DatabaseSync(join(folder, 'roundcube.db'));
  database.exec(await readFile('/usr/share/roundcube/SQL/sqlite.initial.sql', 'utf8'));
  database.close();
  for (const each of ['defaults.inc.php', 'mimetypes.php'])
    await symlink(`/etc/roundcube/${each}`, join(folder, 'config', each));
  await writeFile(
    join(folder, 'config/config.inc.php'),
    `<?php $config = json_decode('${JSON.stringify({
      db_dsnw: `sqlite:///${join(folder, 'roundcube.db')}?mode=0600`,
      imap_host: `127.0.0.1:${String(imap)}`,
      smtp_host: `127.0.0.1:${String(smtp)}`,
      smtp_user: '',
      smtp_pass: '',
      mail_domain: 'example.test',
      des_key: '24 characters of a test.',
      temp_dir: join(folder, 'temp'),
      log_dir: join(folder, 'logs'),
      create_default_folders: true,
      // A mail in HTML is answered in HTML.
      htmleditor: 2,
    })}', true);`,
  );

  const account = await mailAccount();
  await writeFile(join(folder, 'dovecot.conf'), dovecotConfig(folder, String(imap), account));
  await chmod(folder, 0o755);
  for (const each of ['', 'run', 'mail', 'mail/new', 'mail/cur', 'mail/tmp'])
    await chown(join(folder, each), account.uid, account.gid);
  await serve(
    {
      command: '/usr/sbin/dovecot',
      args: ['-F', '-c', join(folder, 'dovecot.conf')],
      uid: account.uid,
      gid: account.gid,
    },
    {
      command: 'aiosmtpd',
      args: ['-n', '-l', `127.0.0.1:${String(smtp)}`, '-c', 'aiosmtpd.handlers.Mailbox', sent],
    },
    {
      command: 'php',
      args: ['-S', `127.0.0.1:${String(port)}`, '-t', '/var/lib/roundcube/public_html'],
      env: { ROUNDCUBE_CONFIG_DIR: join(folder, 'config'), PHP_CLI_SERVER_WORKERS: '4' },
    },
  );

  let tickets = 0;
  const compose = async (page: Page, ticket: number): Promise<void> => {
    await page.goto(
      `${origin}/?_task=mail&_action=compose&_mbox=INBOX&_reply_uid=${String(ticket)}`,
    );
  };

  return {
    origin,
    async logIn(page) {
      await page.goto(origin);
      await page.locator('#rcmloginuser').fill('agent');
      await page.locator('#rcmloginpwd').fill('password');
      await page.locator('#rcmloginpwd').press('Enter');
      await page.locator('#messagelist').waitFor({ state: 'attached' });
    },
    async createTicket({ subject, type, text }) {
      tickets += 1;
      const file = join(mailbox, 'new', `${String(1_700_000_000 + tickets)}.M1P1.test`);
      const mail = [
        'From: Customer <customer@example.test>',
        'To: agent@example.test',
        `Subject: ${subject}`,
        `Message-ID: <${String(tickets)}@example.test>`,
        'Date: Mon, 2 Nov 2026 10:00:00 +0000',
        'MIME-Version: 1.0',
        `Content-Type: ${type}; charset=utf-8`,
        '',
        text,
      ];
      await writeFile(file, mail.join('\r\n'));
      await chown(file, account.uid, account.gid);
      return tickets;
    },
    async openTicket(page, ticket) {
      await page.goto(`${origin}/?_task=mail&_action=show&_mbox=INBOX&_uid=${String(ticket)}`);
      await page.locator('#messagebody').waitFor();
    },
    editors: {
      rich: {
        type: 'text/html',
        async open(page, ticket) {
          await compose(page, ticket);
          return page.locator('#composebody_ifr').contentFrame().locator('body');
        },
      },
      plain: {
        type: 'text/plain',
        async open(page, ticket) {
          await compose(page, ticket);
          return page.locator('#composebody');
        },
      },
    },
    async send(page) {
      const before = await filesIn(join(sent, 'new'));
      await page.locator('.send').filter({ visible: true }).first().click();
      let arrived: string[] = [];
      await expect
        .poll(async () => {
          arrived = (await filesIn(join(sent, 'new'))).filter((file) => !before.includes(file));
          return arrived.length;
        })
        .toBe(1);
      const [file = ''] = arrived;
      return readable(await readFile(join(sent, 'new', file), 'latin1'));
    },
    close,
  };
}

async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Returns what a mail in quoted-printable says, without its tags. */
function readable(mail: string): string {
  const bytes = mail
    .replace(/=\r?\n/gu, '')
    .replace(/=([0-9A-F]{2})/gu, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
  return Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replace(/<[^>]+>/gu, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&rsquo;', '’');
}

interface Account {
  readonly user: string;
  readonly group: string;
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account that holds the mailbox: ours; dovecot refuses root's, so that `nobody`'s stands in for it. */
async function mailAccount(): Promise<Account> {
  const { username } = userInfo();
  const user = username === 'root' ? 'nobody' : username;
  const [group = '', uid, gid] = await Promise.all(
    ['-gn', '-u', '-g'].map(async (what) => (await run('id', [what, user])).output.trim()),
  );
  return { user, group, uid: Number(uid), gid: Number(gid) };
}

function dovecotConfig(folder: string, port: string, { user, group }: Account): string {
  return `
base_dir = ${folder}/run
log_path = ${folder}/run/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
mail_location = maildir:${folder}/mail
passdb {
  driver = static
  args = password=password
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}
