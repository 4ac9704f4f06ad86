import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

import {
  AdminProblem,
  type Command,
  type CommandContext,
  takeArguments,
} from '#relay/admin/command';
import { foldEmail, isEmail } from '#relay/rules/email';
import { isSight, sights } from '#relay/rules/roles';
import { tokenMaxMs } from '#relay/rules/token';
import type { AgentRecord } from '#relay/store/records';
import type { Store } from '#relay/store/store';

export const listRoles: Command = async ({ store, print }, args) => {
  takeArguments(args);
  for (const { name, sees } of await store.roles()) {
    print(`${name}\t${['purchases', 'items', ...sees].join(', ')}`);
  }
};

/** Says what follows the name of `setRole`. */
export const setRoleTakes = `NAME [${sights.join('|')}]…`;

export const setRole: Command = async ({ store, print }, args) => {
  const [name] = takeArguments(args.slice(0, 1), 'the name of the role');
  const sees = [...new Set(args.slice(1))];
  if (!/^[a-z0-9-]{1,40}$/.test(name))
    throw new AdminProblem('A role is named in a-z, 0-9 and dashes.');
  const known = sees.filter(isSight);
  if (known.length !== sees.length) throw new AdminProblem(`A role may see: ${sights.join(', ')}.`);
  await store.putRole({ name, sees: known });
  print(`${name} sees ${['purchases', 'items', ...known].join(', ')}.`);
};

export const listAgents: Command = async ({ store, print }, args) => {
  takeArguments(args);
  const agents = await store.agents();
  if (agents.length === 0) print('There are no agents. To add one: admin agents add EMAIL');
  for (const { email, role, id, subject } of agents) {
    print([email, role, id, ...(subject === undefined ? [] : [subject])].join('\t'));
  }
};

export const addAgent: Command = async (context, args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { role: { type: 'string', default: 'agent' } },
  });
  const [given] = takeArguments(positionals, 'the e-mail address');
  const email = foldEmail(given);
  if (!isEmail(email)) throw new AdminProblem('That is no e-mail address.');
  if ((await context.store.agents()).some((one) => one.email === email)) {
    throw new AdminProblem(`${email} is an agent already.`);
  }
  await roleNamed(context, values.role);
  await context.store.addAgent({ id: randomBytes(8).toString('hex'), email, role: values.role });
  context.print(`${email} is an agent. To let them in: admin invites add ${email}`);
};

export const setAgentRole: Command = async (context, args) => {
  const [email, role] = takeArguments(args, 'the e-mail address', 'the role');
  const agent = await agentNamed(context, email);
  await roleNamed(context, role);
  await context.store.setRole(agent.id, role);
  context.print(`${agent.email} is ${role} from the next call on.`);
};

export const identifyAgent: Command = async (context, args) => {
  const [email, subject] = takeArguments(args, 'the e-mail address', 'TENANT/OBJECT');
  if (!isSubject(subject)) throw new AdminProblem('Two ids with a slash between: TENANT/OBJECT');
  const agent = await agentNamed(context, email);
  const other = (await context.store.agents()).find((one) => one.subject === subject);
  if (other !== undefined) throw new AdminProblem(`That is ${other.email} already.`);
  await context.store.setSubject(agent.id, subject);
  context.print(`${agent.email} signs in as ${subject}.`);
};

/** Tells whether text is what a provider may call an agent. */
export function isSubject(text: string): boolean {
  return /^[\w-]{1,64}\/[\w-]{1,64}$/.test(text);
}

export const removeAgent: Command = async (context, args) => {
  const [email] = takeArguments(args, 'the e-mail address');
  const agent = await agentNamed(context, email);
  await context.store.removeAgent(agent.id);
  context.print(
    `${agent.email} is removed, and every token with them. In the audit they stay ${agent.id}.`,
  );
};

export const listTokens: Command = async ({ store, now, print }, args) => {
  takeArguments(args);
  const emails = await emailsOf(store);
  const tokens = await store.tokens();
  if (tokens.length === 0) print('There are no tokens: nobody has joined.');
  // No token lives longer.
  const since = now() - tokenMaxMs;
  const uses = new Map((await store.tokenUses(since)).map((use) => [use.token, use]));
  for (const { id, agent, signedInAt, expiresAt, revokedAt } of tokens) {
    const holds = expiresAt > now() ? 'holds until' : 'expired at';
    const state = revokedAt === 0 ? `${holds} ${iso(expiresAt)}` : `revoked at ${iso(revokedAt)}`;
    const { actor, firstAt, lastAt } = uses.get(id) ?? {};
    const used =
      firstAt === undefined || lastAt === undefined
        ? `not used since ${iso(Math.max(signedInAt, since))}`
        : `first used ${iso(firstAt)}\tlast used ${iso(lastAt)}`;
    print(`${id}\t${emails.get(agent) ?? agent}\t${state}\t${actor ?? 'unknown'}\t${used}`);
  }
};

export const revokeToken: Command = async ({ store, print }, args) => {
  const [id] = takeArguments(args, 'the id of the token');
  if (!(await store.revokeToken(id))) throw new AdminProblem(`No token ${id} holds.`);
  print(`Token ${id} is revoked.`);
};

/** Returns the e-mail addresses of agents by their ids. */
export async function emailsOf(store: Pick<Store, 'agents'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await store.agents()).map(({ id, email }) => [id, email]));
}

/** Finds an agent by e-mail address. @throws AdminProblem */
export async function agentNamed({ store }: CommandContext, email: string): Promise<AgentRecord> {
  const agent = (await store.agents()).find((one) => one.email === foldEmail(email));
  if (agent === undefined)
    throw new AdminProblem(`${email} is no agent. To add them: admin agents add ${email}`);
  return agent;
}

async function roleNamed({ store }: CommandContext, name: string): Promise<void> {
  if ((await store.roles()).some((role) => role.name === name)) return;
  throw new AdminProblem(`There is no role ${name}. To make it: admin roles set ${name}`);
}

const iso = (at: number): string => new Date(at).toISOString();

export const listQuotas: Command = async ({ store, print }, args) => {
  takeArguments(args);
  const emails = await emailsOf(store);
  const { roles, agents } = await store.quotas();
  if (roles.length + agents.length === 0) {
    print('Nobody has a quota. To set one: admin quotas set EMAIL|ROLE CALLS');
  }
  for (const { role, calls } of roles) print(`${role}\t${String(calls)} a day for each agent`);
  for (const { agent, calls, today } of agents) {
    print(`${emails.get(agent) ?? agent}\t${String(today)} of ${String(calls)} today`);
  }
};

/** Says what follows the name of `setQuota`. */
export const setQuotaTakes = 'EMAIL|ROLE CALLS|none';

export const setQuota: Command = async (context, args) => {
  const [whose, given] = takeArguments(args, 'the e-mail address or the role', 'the calls a day');
  const calls = given === 'none' ? undefined : Number(given);
  if (calls !== undefined && !/^\d{1,7}$/.test(given)) {
    throw new AdminProblem('A quota is a whole number of calls a day, or none.');
  }
  const { store, print } = context;
  const of = whose.includes('@')
    ? { agent: (await agentNamed(context, whose)).id }
    : { role: whose };
  if (!(await store.setQuota(of, calls))) throw new AdminProblem(`There is no role ${whose}.`);
  const may = calls === undefined ? 'may ask' : `may ask ${String(calls)} times a day (UTC)`;
  const each = 'role' in of ? `Each agent who is ${whose} ${may}` : `${whose} ${may}`;
  print(
    calls === undefined && 'agent' in of
      ? `${each} as often as the role says.`
      : `${each}${calls === undefined ? ' without a quota' : ''}. Answers that the relay has already count for nothing.`,
  );
};
