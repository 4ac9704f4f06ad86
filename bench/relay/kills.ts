import { callWhile, check } from '#bench/relay/calls';
import { type Part, auditOf, connect, unlimited } from '#bench/relay/setting';
import { delay } from '#core/time/delay';
import { spawnRelay } from '#tests/relay/support/relay-process';

const kills = 100;

/** Counts the upstream's calls without an intent in the audit, after so many kills in mid-traffic. */
export const killed: Part = async (setting) => {
  const { files, seller, token, say } = setting;
  await connect(setting, 'kills', unlimited);
  const from = seller.arrived.length;
  for (let kill = 0; kill < kills; kill += 1) {
    const relay = await spawnRelay(files);
    const seen = seller.arrived.length;
    let going = true;
    const running = callWhile(
      8,
      () => going,
      async () => {
        const answer = await check(`${relay.origin}/c/kills`, token);
        if (answer.status === 0) going = false;
        return answer;
      },
    );
    while (seller.arrived.length < seen + 10) await delay(2);
    await relay.end('SIGKILL');
    await running;
  }
  const arrived = seller.arrived.slice(from).map(({ code }) => code.slice(-4));
  // The audit holds the last four characters of a code.
  if (new Set(arrived).size < arrived.length) throw new Error('Two codes end alike.');
  const intents = new Set(
    (await auditOf(files))
      .filter(({ kind, connection }) => kind === 'intent' && connection === 'kills')
      .map(({ codeLast4 }) => codeLast4),
  );
  const missing = arrived.filter((last4) => !intents.has(last4)).length;
  say(
    `kill -9 × ${String(kills)}: ${String(arrived.length)} upstream calls, ${String(missing)} without an audit row`,
  );
};
