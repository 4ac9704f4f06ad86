import { randomBytes } from 'node:crypto';

import { dayMs } from '#core/time/index';
import { command, type CommandContext, readArguments } from '#relay/admin/command';
import { inviteLink, newInvite, parseInvite } from '#relay/join/credentials';
import { checkRoles, newToken, visibleParts, tokenMaxMs } from '#relay/rules/index';
import { foldEmail, isEmail } from '#relay/join/email';
import type { Store, Stored } from '#relay/store/index';
import { Problem, whole } from '#relay/problem';

const anEmail = ['the e-mail address'] as const;

export const agentCommands = {
  'roles list': command({}, async ({ store, print }) => {
    for (const { name, maySee, quota } of await store.roles()) {
      const most = quota === undefined ? [] : [`${String(quota)} a day for each agent`];
      print([name, ['purchases', 'items', ...maySee].join(', '), ...most].join('\t'));
    }
  }),

  'roles set': {
    takes: `NAME [${visibleParts.join('|')}]…`,
    begins: true,
    run: async ({ store, print }: CommandContext, args: readonly string[]): Promise<void> => {
      const [name] = readArguments(args.slice(0, 1), ['the name of the role']).named;
      const named = [...new Set(args.slice(1))];
      if (!/^[a-z0-9-]{1,40}$/.test(name))
        throw new Problem('A role is named in a-z, 0-9 and dashes.');
      const known = visibleParts.filter((part) => named.includes(part));
      if (known.length !== named.length)
        throw new Problem(`A role may see: ${visibleParts.join(', ')}.`);
      await store.putRole({ name, maySee: known });
      print(`${name} sees ${['purchases', 'items', ...known].join(', ')}.`);
    },
  },

  'quotas set': command(
    {
      takes: 'EMAIL|ROLE CALLS|none',
      names: ['the e-mail address or the role', 'the calls a day'],
    },
    async ({ store, print }, [whose, given]) => {
      const calls =
        given === 'none' ? undefined : whole(given, 0, 9_999_999, 'A quota that is not "none"');
      const of = whose.includes('@')
        ? { agent: (await agentNamed(store, whose)).id }
        : { role: whose };
      if (!(await store.setQuota(of, calls))) throw new Problem(`There is no role ${whose}.`);
      const most =
        calls === undefined ? 'no quota of its own' : `${String(calls)} calls a day (UTC)`;
      print(`${whose}\t${most}`);
    },
  ),

  'agents list': command({}, async ({ store, print }) => {
    const agents = await store.agents();
    if (agents.length === 0) print('There are no agents. To add one: admin agents add EMAIL');
    for (const { email, role, id, subject = [], quota, today = 0 } of agents) {
      const used = quota === undefined ? [] : `${String(today)} of ${String(quota)} today`;
      print([email, role, id, subject, used].flat().join('\t'));
    }
  }),

  'agents add': command(
    {
      takes: 'EMAIL,… [--role ROLE]',
      begins: true,
      names: anEmail,
      options: { role: { type: 'string', default: 'agent' } },
    },
    async ({ store, print }, [given], { role }) => {
      const emails = [...new Set(given.split(',').map(readEmail))];
      await checkRoles(store, [role]);
      const before = new Map((await store.agents()).map((one) => [one.email, one.role]));
      for (const email of emails) {
        // A list may be added again after it has grown.
        const hasRole = before.get(email);
        if (hasRole === undefined) await addAgent(store, email, role);
        const already = hasRole === undefined ? '' : ` already, with the role ${hasRole}`;
        print(`${email} is an agent${already}. To let them in: admin invites add ${email}`);
      }
    },
  ),

  'agents role': command(
    { takes: 'EMAIL ROLE', names: [...anEmail, 'the role'] },
    async ({ store, print }, [given, role]) => {
      const { id, email } = await agentNamed(store, given);
      await checkRoles(store, [role]);
      await store.setRole(id, role);
      print(`${email} is ${role} from the next call on.`);
    },
  ),

  'agents identify': command(
    { takes: 'EMAIL TENANT/OBJECT', names: [...anEmail, 'TENANT/OBJECT'] },
    async ({ store, print }, [given, subject]) => {
      if (!/^[\w-]{1,64}\/[\w-]{1,64}$/.test(subject))
        throw new Problem('Two ids with a slash between: TENANT/OBJECT');
      const { id, email } = await agentNamed(store, given);
      const other = (await store.agents()).find((one) => one.subject === subject);
      if (other !== undefined) throw new Problem(`That is ${other.email} already.`);
      await store.setSubject(id, subject);
      print(`${email} signs in as ${subject}.`);
    },
  ),

  'agents remove': command(
    { takes: 'EMAIL', names: anEmail },
    async ({ store, print }, [given]) => {
      const { id, email } = await agentNamed(store, given);
      await store.removeAgent(id);
      print(`${email} is removed, and every token with them. In the audit they stay ${id}.`);
    },
  ),
};

export const inviteOptions = { days: { type: 'string', default: '1' } } as const;

/** Reads how long an invite is valid, in milliseconds. @throws Problem */
export function readInviteDays(text: string): number {
  return whole(text, 1, 30, '--days') * dayMs;
}

export const accessCommands = {
  'invites list': command({}, async ({ store, now, print }) => {
    const emails = await emailsOf(store);
    const open = (await store.invites()).filter(({ expiresAt }) => expiresAt > now());
    if (open.length === 0) print('No invite is open.');
    for (const { agent, expiresAt } of open) {
      print(`${emails.get(agent) ?? agent}\tholds until ${iso(expiresAt)}`);
    }
  }),

  'invites add': command(
    { takes: 'EMAIL,… [--days N]', names: anEmail, options: inviteOptions },
    async (context, [given], { days }) => {
      const holdsMs = readInviteDays(days);
      const emails = given.split(',');
      for (const email of emails) {
        const { id } = await agentNamed(context.store, email);
        const invite = await addInvite(context, id, holdsMs);
        context.print(emails.length === 1 ? invite : `${email}\t${invite}`);
      }
    },
  ),

  'invites revoke': command(
    { takes: 'EMAIL', names: anEmail },
    async ({ store, print }, [given]) => {
      const { id, email } = await agentNamed(store, given);
      if (!(await store.revokeInvites(id))) throw new Problem(`${email} has no invite.`);
      print(`No invite of ${email} holds any more.`);
    },
  ),

  'invites redeem': command({ takes: '< FILE' }, async ({ store, now, readInput, print }) => {
    const invite = parseInvite(await readInput());
    const token = newToken(now());
    const redeemed =
      invite !== undefined && (await store.redeemInvite(invite.id, invite.hash, token.record));
    if (!redeemed) throw new Problem('This invite was used, has expired, or never was one.');
    print(token.text);
  }),

  'tokens list': command({}, async ({ store, now, print }) => {
    const emails = await emailsOf(store);
    const tokens = await store.tokens();
    if (tokens.length === 0) print('There are no tokens: nobody has joined.');
    // No token is valid for longer.
    const since = now() - tokenMaxMs;
    for (const { id, agent, signedInAt, expiresAt, revokedAt, actor, firstAt, lastAt } of tokens) {
      const holds = expiresAt > now() ? 'holds until' : 'expired at';
      const state = revokedAt === 0 ? `${holds} ${iso(expiresAt)}` : `revoked at ${iso(revokedAt)}`;
      const used =
        firstAt === undefined || lastAt === undefined
          ? `not used since ${iso(Math.max(signedInAt, since))}`
          : `first used ${iso(firstAt)}\tlast used ${iso(lastAt)}`;
      print(`${id}\t${emails.get(agent) ?? agent}\t${state}\t${actor ?? 'unknown'}\t${used}`);
    }
  }),

  'tokens revoke': command(
    { takes: 'ID', names: ['the id of the token'] },
    async ({ store, print }, [id]) => {
      if (!(await store.revokeToken(id))) throw new Problem(`No token ${id} holds.`);
      print(`Token ${id} is revoked.`);
    },
  ),
};

/** @throws Problem */
export function readEmail(text: string): string {
  const email = foldEmail(text);
  if (isEmail(email)) return email;
  throw new Problem(`"${email}" is no e-mail address. Nothing was done.`);
}

export async function addAgent(
  store: Store,
  email: string,
  role: string,
): Promise<Stored<'agent'>> {
  const agent = { id: randomBytes(8).toString('hex'), email, role };
  await store.addAgent(agent);
  return agent;
}

async function agentNamed(store: Store, email: string): Promise<Stored<'agent'>> {
  const agent = (await store.agents()).find((one) => one.email === foldEmail(email));
  if (agent === undefined)
    throw new Problem(`${email} is no agent. To add them: admin agents add ${email}`);
  return agent;
}

export async function emailsOf(store: Pick<Store, 'agents'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await store.agents()).map(({ id, email }) => [id, email]));
}

/** Stores a new invite for an agent. Returns its text, which is a link if the relay's address is known. */
export async function addInvite(
  { store, now, origin }: CommandContext,
  agent: string,
  holdsMs: number,
): Promise<string> {
  const { text, ...parts } = newInvite();
  const createdAt = now();
  await store.addInvite({ ...parts, agent, createdAt, expiresAt: createdAt + holdsMs });
  return origin === undefined ? text : inviteLink(origin, text);
}

const iso = (at: number): string => new Date(at).toISOString();
