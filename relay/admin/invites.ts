import { randomBytes } from 'node:crypto';

import { agentNamed, emailsOf } from '#relay/admin/agents';
import {
  AdminProblem,
  type Command,
  type CommandContext,
  takeArguments,
} from '#relay/admin/command';
import { newToken, inviteLink, inviteMs, parseInvite, writeInvite } from '#relay/join/credentials';
import type { InviteRecord } from '#relay/store/records';

export const listInvites: Command = async ({ store, now, print }, args) => {
  takeArguments(args);
  const emails = await emailsOf(store);
  const open = (await store.invites()).filter(({ expiresAt }) => expiresAt > now());
  if (open.length === 0) print('No invite is open.');
  for (const { agent, expiresAt } of open) {
    print(`${emails.get(agent) ?? agent}\tholds until ${new Date(expiresAt).toISOString()}`);
  }
};

export const addInvite: Command = async (context, args) => {
  const [email] = takeArguments(args, 'the e-mail address');
  const agent = await agentNamed(context, email);
  const { text, record } = newInvite(context, agent.id);
  await context.store.addInvite(record);
  context.print(text);
};

/** Makes an invite for an agent, which is not stored yet. Its text is a link where the relay's address is known. */
export function newInvite(
  { now, origin }: Pick<CommandContext, 'now' | 'origin'>,
  agent: string,
): { readonly text: string; readonly record: InviteRecord } {
  const invite = writeInvite(randomBytes(8), randomBytes(32));
  const parts = parseInvite(invite);
  if (parts === undefined) throw new Error('A new invite must have the right form.');
  const createdAt = now();
  return {
    text: origin === undefined ? invite : inviteLink(origin, invite),
    record: { ...parts, agent, createdAt, expiresAt: createdAt + inviteMs },
  };
}

export const redeemInvite: Command = async ({ store, now, readInput, print }, args) => {
  takeArguments(args);
  const invite = parseInvite(await readInput());
  const token = newToken(now());
  const redeemed =
    invite !== undefined && (await store.redeemInvite(invite.id, invite.hash, token.record));
  if (!redeemed) throw new AdminProblem('This invite was used, has expired, or never was one.');
  print(token.text);
};

export const revokeInvites: Command = async (context, args) => {
  const [email] = takeArguments(args, 'the e-mail address');
  const agent = await agentNamed(context, email);
  if (!(await context.store.revokeInvites(agent.id))) {
    throw new AdminProblem(`${agent.email} has no invite.`);
  }
  context.print(`No invite of ${agent.email} holds any more.`);
};
