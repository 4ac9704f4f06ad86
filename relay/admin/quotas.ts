import { agentNamed, emailsOf } from '#relay/admin/agents';
import type { Command } from '#relay/admin/command';
import { AdminProblem, takeArguments } from '#relay/admin/problem';

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
