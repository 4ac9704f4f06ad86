import { callFor, check, timeOf } from '#bench/relay/calls';
import { type Part, connect, unlimited } from '#bench/relay/setting';
import { delay } from '#core/time/delay';
import { faultProxy } from '#tests/relay/support/fault-proxy';
import { spawnRelay } from '#tests/relay/support/relay-process';

/** Measures how a database that is gone is told, and how soon the relay is back after it. Asks for PostgreSQL. */
export const outage: Part = async (setting) => {
  const { files, token, say } = setting;
  if (files.postgres === undefined) return;
  await connect(setting, 'outage', unlimited);
  const proxy = await faultProxy(files.postgres.port);
  const relay = await spawnRelay({ ...files, database: proxy.lead(files.database) });
  const call = () => check(`${relay.origin}/c/outage`, token);
  for (const mode of ['refusing', 'silent'] as const) {
    await callFor(8, 1, call);
    proxy.set(mode);
    const gone = await callFor(8, 3, call);
    const refused = gone.filter(({ status }) => status === 503);
    const others = gone.length - refused.length;
    proxy.set('forwarding');
    const began = performance.now();
    while ((await call()).status !== 200) await delay(10);
    const back = performance.now() - began;
    say(
      `database ${mode}: slowest 503 after ${timeOf(refused, 1).toFixed(0)} ms of ${String(gone.length)} calls, ${String(others)} other answers; back after ${back.toFixed(0)} ms`,
    );
  }
  await relay.end('SIGTERM');
  await proxy.close();
};
