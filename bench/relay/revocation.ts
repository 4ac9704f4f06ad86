import { randomBytes } from 'node:crypto';

import { callWhile, check } from '#bench/relay/calls';
import { type Part, type Setting, auditOf, connect, unlimited } from '#bench/relay/setting';
import { delay } from '#core/time/delay';
import { begunReplies } from '#tests/relay/support/audit-rows';
import { spawnAdmin, spawnRelay } from '#tests/relay/support/relay-process';

const rounds = 10;

/** Counts the replies that were begun after a revocation's commit, while four instances race where the store allows it. */
export const revocation: Part = async (setting) => {
  const { files, say } = setting;
  await connect(setting, 'revoked', unlimited);
  const count = files.postgres === undefined ? 1 : 4;
  const relays = await Promise.all(Array.from({ length: count }, () => spawnRelay(files)));
  const origins = relays.map(({ origin }) => origin);
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) ids.push(await revokeUnderLoad(setting, origins));
  await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
  const rows = await auditOf(files);
  let before = 0;
  let after = 0;
  for (const id of ids) {
    const own = rows.filter(({ token }) => token === id);
    const at = own.findIndex(({ result }) => result === 'token-revoked');
    if (at === -1) throw new Error('The audit holds no revocation.');
    const begun = begunReplies(own);
    after += own.slice(at).filter((row) => begun.includes(row)).length;
    before += own.slice(0, at).filter((row) => begun.includes(row)).length;
  }
  say(
    `revoked ${String(rounds)} times with ${String(count)} instances: ${String(before)} replies before the commit, ${String(after)} begun after it`,
  );
};

/** Returns the id of the token that was revoked. */
async function revokeUnderLoad({ files }: Setting, origins: readonly string[]): Promise<string> {
  const token = await files.join(`rex-${randomBytes(4).toString('hex')}@team.example`);
  let going = true;
  const running = origins.map((origin) =>
    callWhile(
      4,
      () => going,
      () => check(`${origin}/c/revoked`, token),
    ),
  );
  await delay(1_000);
  const id = token.split('_')[1] ?? '';
  await spawnAdmin(files, `tokens revoke ${id}`);
  await delay(300);
  going = false;
  await Promise.all(running);
  return id;
}
