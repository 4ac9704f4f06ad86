import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { createRawReader, type RawRecord } from '#core/text/delimited';
import { writeCsv } from '#core/text/csv';
import { omitUndefined } from '#core/result';
import {
  inviteOptions,
  isSubject,
  joinedAgents,
  newInvite,
  readInviteDays,
} from '#relay/admin/agents';
import { command, type CommandContext } from '#relay/admin/command';
import { foldEmail, isEmail } from '#relay/join/email';
import type { Stored } from '#relay/store/index';
import { Problem } from '#relay/problem';

/**
 * Adds the agents of a CSV file, and prints an invite for each who has no token that holds. Somebody who is an agent already is not
 * added again, so that an import can be repeated: for those who have not joined, say, after their invites have expired.
 */
export const importAgents = command(
  {
    takes: 'FILE [--days N]',
    begins: true,
    names: ['the CSV file'],
    options: inviteOptions,
  },
  async (context, [file], { days }) => {
    const holdsMs = readInviteDays(days);
    const { store, print } = context;
    const { members, added } = await readTeam(context, file);
    const joined = await joinedAgents(context);
    const invited = members
      .filter(({ id }) => !joined.has(id))
      .map((agent) => ({ agent, invite: newInvite(context, agent.id, holdsMs) }));
    const text = writeCsv([
      ['email', 'role', 'invite', 'expires'],
      ...invited.map(({ agent: { email, role }, invite }) => [
        email,
        role,
        invite.text,
        new Date(invite.record.expiresAt).toISOString(),
      ]),
    ]);
    for (const agent of added) await store.addAgent(agent);
    for (const { invite } of invited) await store.addInvite(invite.record);
    // `print` adds the end of the line.
    print(text.replace(/\n$/, ''));
  },
);

interface Team {
  /** Everybody in the file, in its order. */
  readonly members: readonly Stored<'agent'>[];
  /** Those of them who are no agents yet. */
  readonly added: readonly Stored<'agent'>[];
}

/** Reads a team from a file. @throws Problem that names every line which cannot be taken */
async function readTeam({ store }: CommandContext, file: string): Promise<Team> {
  const { emailAt, roleAt, subjectAt, width, lines } = readTable(file);
  const known = new Map((await store.agents()).map((agent) => [agent.email, agent]));
  const subjects = new Map([...known.values()].map(({ subject, email }) => [subject, email]));
  const roles = new Set((await store.roles()).map(({ name }) => name));
  const members = new Map<string, Stored<'agent'>>();
  const added: Stored<'agent'>[] = [];
  const wrong: string[] = [];
  for (const { cells, line } of lines) {
    const given = (cells[emailAt] ?? '').trim();
    const email = foldEmail(given);
    const role = (cells[roleAt] ?? '').trim() || 'agent';
    const subject = (cells[subjectAt] ?? '').trim() || undefined;
    const why = whyWrong();
    if (why !== undefined) {
      wrong.push(`line ${String(line)}: ${why}`);
      continue;
    }
    const id = randomBytes(8).toString('hex');
    const agent = known.get(email) ?? omitUndefined({ id, email, role, subject });
    if (subject !== undefined) subjects.set(subject, email);
    if (!known.has(email)) added.push(agent);
    members.set(email, agent);

    function whyWrong(): string | undefined {
      if (cells.length !== width) {
        return `it has ${String(cells.length)} cells, and the header ${String(width)}`;
      }
      // U+FFFD stands for bytes that are no UTF-8.
      if (!isEmail(given) || given.includes('\uFFFD')) {
        return `${JSON.stringify(given)} is no e-mail address`;
      }
      if (!roles.has(role)) {
        return `there is no role ${JSON.stringify(role)}; to make it: admin roles set NAME`;
      }
      if (members.has(email)) return `${email} stands in an earlier line too`;
      if (subject !== undefined) {
        const other = subjects.get(subject) ?? email;
        if (!isSubject(subject)) return `${JSON.stringify(subject)} is not TENANT/OBJECT`;
        if (other !== email) return `${subject} is ${other} already`;
        if (known.has(email) && known.get(email)?.subject !== subject) {
          return `${email} is an agent already; to say who that is: admin agents identify ${email} ${subject}`;
        }
      }
      const before = known.get(email)?.role ?? role;
      if (before === role) return undefined;
      return `${email} is an agent already, as ${before}; to change that: admin agents role ${email} ${role}`;
    }
  }
  if (wrong.length > 0) {
    throw new Problem([`Nothing was written, because of ${file}:`, ...wrong].join('\n'));
  }
  if (members.size === 0) throw new Problem(`${file} names nobody below its header.`);
  return { members: [...members.values()], added };
}

interface TeamTable {
  /** Which columns these are, from 0. */
  readonly emailAt: number;
  readonly roleAt: number;
  /** -1 where nobody is named by a provider. */
  readonly subjectAt: number;
  readonly width: number;
  readonly lines: readonly RawRecord[];
}

/** Reads the table that is separated as its header is, since Excel writes `;` in many countries. @throws Problem */
function readTable(file: string): TeamTable {
  const text = readFileSync(file, 'utf8');
  for (const delimiter of [',', ';', '\t'] as const) {
    const reader = createRawReader(delimiter);
    const records = [...reader.push(text), ...reader.end()];
    const [header, ...lines] = records.filter(({ cells }) => cells.length > 0);
    const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
    const emailAt = names.findIndex((name) => name === 'e-mail' || name === 'email');
    const roleAt = names.indexOf('role');
    const subjectAt = names.indexOf('subject');
    if (emailAt >= 0 && roleAt >= 0) {
      return { emailAt, roleAt, subjectAt, width: names.length, lines };
    }
  }
  throw new Problem(`The first line of ${file} must name the columns: email,role`);
}
