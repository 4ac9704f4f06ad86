import { randomBytes } from 'node:crypto';

import { callEvenly, check, summaryOf } from '#bench/relay/calls';
import { type Part, connect, unlimited, withStore } from '#bench/relay/setting';
import { newToken } from '#relay/join/new-token';
import { spawnRelay } from '#tests/relay/support/relay-process';

const agents = 500;
const seconds = 60;

/** Measures a call of each agent every ten seconds. */
export const manyAgents: Part = async (setting) => {
  const { files, say } = setting;
  await connect(setting, 'agents', unlimited);
  const tokens = await withStore(files, async (store) => {
    const made: string[] = [];
    for (let index = 0; index < agents; index += 1) {
      const id = randomBytes(8).toString('hex');
      await store.addAgent({ id, email: `agent-${String(index)}@team.example`, role: 'agent' });
      const token = newToken(Date.now());
      const invite = { id, agent: id, hash: token.record.hash };
      await store.addInvite({ ...invite, createdAt: Date.now(), expiresAt: Date.now() + 60_000 });
      await store.redeemInvite(id, token.record.hash, token.record);
      made.push(token.text);
    }
    return made;
  });
  const relay = await spawnRelay(files);
  const base = `${relay.origin}/c/agents`;
  const call = (index: number) => check(base, tokens[index % agents]);
  const answers = await callEvenly(agents / 10, seconds, call);
  say(`${String(agents)} agents, a call each 10 s: ${summaryOf(answers, seconds)}`);
  await relay.end('SIGTERM');
};
