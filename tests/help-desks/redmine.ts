import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { run } from '#scripts/machine/processes';
import { createPlace, type HelpDesk } from '#tests/help-desks/help-desk';

const user = { name: 'admin', password: 'password' };
const program = '/usr/share/redmine';

/** Starts Redmine at a free port of localhost. Its files lie in a folder that goes when it is closed. */
export async function startRedmine(): Promise<HelpDesk> {
  const { folder, origin, ports, serve, close } = await createPlace();
  for (const each of ['config', 'files', 'log', 'public/plugin_assets', 'tmp/cache'])
    await mkdir(join(folder, each), { recursive: true });
  const database = { adapter: 'sqlite3', database: join(folder, 'redmine.db'), timeout: 20_000 };
  // JSON is YAML.
  await writeFile(join(folder, 'config/database.yml'), JSON.stringify({ production: database }));
  await writeFile(join(folder, 'config/secret_key.txt'), 'tests'.repeat(20));
  await writeFile(join(folder, 'seed.rb'), seed);
  const env = {
    RAILS_ENV: 'production',
    // Debian's Redmine takes an instance of its own folder by name; ours lies elsewhere.
    REDMINE_INSTANCE: relative(join(program, 'instances'), folder),
    SCHEMA: join(folder, 'schema.rb'),
  };
  const seeding = ['runner', join(folder, 'seed.rb')];
  const setup = await run(`${program}/bin/rails`, seeding, { env, cwd: program });
  if (setup.code !== 0) throw new Error(`Redmine made no database.\n${setup.output}`);
  const bind = `tcp://127.0.0.1:${String(ports[0])}`;
  const args = ['-e', 'production', '-b', bind, '-t', '2:4', 'config.ru'];
  await serve({ command: 'puma', args, env, cwd: program });

  const ask = async (path: string, body?: object): Promise<{ issue: Issue }> => {
    const login = Buffer.from(`${user.name}:${user.password}`).toString('base64');
    const response = await fetch(`${origin}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Basic ${login}`, 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { issue: Issue };
  };
  const openTicket = async (page: Page, ticket: number): Promise<void> => {
    await page.goto(`${origin}/issues/${String(ticket)}`);
  };
  const notes = (page: Page) => page.locator('#issue_notes');

  return {
    origin,
    async logIn(page) {
      await page.goto(`${origin}/login`);
      await page.locator('#username').fill(user.name);
      await page.locator('#password').fill(user.password);
      await page.locator('#password').press('Enter');
      await page.waitForURL((url) => url.pathname !== '/login');
    },
    async createTicket({ subject, text }) {
      const issue = { project_id: 'support', subject, description: text };
      return (await ask('/issues.json', { issue })).issue.id;
    },
    openTicket,
    editors: {
      rich: {
        type: 'text/plain',
        async open(page, ticket) {
          await openTicket(page, ticket);
          await page.locator('.contextual .icon-edit').first().click();
          return notes(page);
        },
      },
      plain: {
        type: 'text/plain',
        async open(page, ticket) {
          await openTicket(page, ticket);
          await page.locator('.issue .contextual .icon-comment').first().click();
          await expect(notes(page)).toHaveValue(/^>/mu);
          return notes(page);
        },
      },
    },
    async send(page, ticket) {
      const box = page.locator('.jstBlock').filter({ has: notes(page) });
      const written = await notes(page).inputValue();
      await box.locator('.tab-preview').click();
      const [line = ''] = written.split('\n').slice(-1);
      await expect(box.locator('.wiki-preview')).toContainText(line.replace(/^> /u, ''));
      await page.locator('#issue-form input[name="commit"]').click();
      await page.locator('#flash_notice').waitFor();
      const { issue } = await ask(`/issues/${String(ticket)}.json?include=journals`);
      return issue.journals?.at(-1)?.notes ?? '';
    },
    close,
  };
}

interface Issue {
  readonly id: number;
  readonly journals?: readonly { readonly notes: string }[];
}

/** Makes the tables, what Redmine proposes to begin with, one project and its administrator. */
const seed = `
ActiveRecord::Migration.verbose = false
ActiveRecord::Tasks::DatabaseTasks.migrate
ActiveRecord::Base.descendants.each(&:reset_column_information)
Redmine::DefaultData::Loader.load('en')
Setting.text_formatting = 'common_mark'
Setting.rest_api_enabled = '1'
admin = User.find_by_login('${user.name}')
admin.password = admin.password_confirmation = '${user.password}'
admin.must_change_passwd = false
admin.language = 'en'
admin.save!
modules = ['issue_tracking']
Project.create!(name: 'Support', identifier: 'support', trackers: Tracker.all, enabled_module_names: modules)
`;
