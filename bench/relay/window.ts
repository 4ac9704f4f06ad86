import { callWhile, check } from '#bench/relay/calls';
import { type Part, connect } from '#bench/relay/setting';
import { delay } from '#core/time/delay';
import { mostInAnyWindow } from '#tests/relay/support/counting-upstream';
import { type RelayProcess, spawnRelay } from '#tests/relay/support/relay-process';

const limit = 300;
const windowSeconds = 30;
const seconds = 120;

/**
 * Counts what reaches the seller in any window: four instances where the store allows it, their clocks up to five seconds wrong, one
 * after the other standing still for a second, and one killed.
 */
export const everyWindow: Part = async (setting) => {
  const { files, seller, token, other, say } = setting;
  await connect(setting, 'window', `--limit ${String(limit)} --window ${String(windowSeconds)}`);
  const clocks = files.postgres === undefined ? [5_000] : [-5_000, 0, 2_500, 5_000];
  const relays = await Promise.all(clocks.map((aheadMs) => spawnRelay(files, { aheadMs })));
  const from = seller.arrived.length;
  let going = true;
  const running = relays.map((_, n) =>
    callWhile(
      4,
      () => going,
      async () => {
        const base = `${relays[n]?.origin ?? ''}/c/window`;
        const answer = await check(base, n % 2 === 0 ? token : other);
        if (answer.status !== 200) await delay(100);
        return answer;
      },
    ),
  );
  const until = performance.now() + seconds * 1000;
  const killAt = performance.now() + (seconds * 1000) / 2;
  let stalls = 0;
  let killed: RelayProcess | undefined;
  while (performance.now() < until) {
    await delay(2_000);
    const n = stalls % relays.length;
    if (killed === undefined && performance.now() > killAt) {
      killed = relays[n];
      await killed?.end('SIGKILL');
      relays[n] = await spawnRelay(files, { aheadMs: clocks[n] ?? 0 });
    }
    await relays[n]?.stall(1_000);
    stalls += 1;
  }
  going = false;
  const answers = (await Promise.all(running)).flat();
  await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
  const moments = seller.arrived.slice(from).map(({ at }) => at);
  const most = mostInAnyWindow(moments, windowSeconds * 1000);
  const refused = answers.filter(({ status }) => status === 429).length;
  say(
    `limit ${String(limit)} in ${String(windowSeconds)} s, ${String(clocks.length)} instances, ${String(stalls)} stalls, 1 kill: ${String(moments.length)} upstream calls in ${String(seconds)} s, at most ${String(most)} in any window; ${String(refused)} calls told to come back`,
  );
};
