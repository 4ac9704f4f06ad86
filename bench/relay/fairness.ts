import { type Answer, callWhile, check, summaryOf } from '#bench/relay/calls';
import { type Part, connect } from '#bench/relay/setting';
import { delay } from '#core/time/delay';
import { spawnRelay } from '#tests/relay/support/relay-process';

const bulkCodes = 2_000;

/** Measures one agent's checks, one each second, beside another's bulk work of 2,000 codes, where the pace holds both back. */
export const fairness: Part = async (setting) => {
  const { files, token, other, say } = setting;
  await connect(setting, 'paced', '--limit 3000 --window 60');
  const relay = await spawnRelay(files);
  const base = `${relay.origin}/c/paced`;
  let done = 0;
  const bulk = callWhile(
    4,
    () => done < bulkCodes,
    async () => {
      const answer = await check(base, other, { 'counterfoil-work': 'bulk' });
      if (answer.status === 200) done += 1;
      else await delay(200);
      return answer;
    },
  );
  const began = performance.now();
  const checks: Promise<Answer>[] = [];
  while (done < bulkCodes) {
    await delay(1_000);
    checks.push(check(base, token));
  }
  const seconds = (performance.now() - began) / 1000;
  await bulk;
  say(
    `interactive beside bulk: ${summaryOf(await Promise.all(checks))}; bulk had ${String(done)} in ${seconds.toFixed(0)} s`,
  );
  await relay.end('SIGTERM');
};
