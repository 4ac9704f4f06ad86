import { closeConnections, type Part } from '#bench/relay/setting';
import { auditGrowth, fairness, manyAgents, overhead } from '#bench/relay/load';
import { everyWindow, killed, outage, revocation } from '#bench/relay/failures';
import { obtainPostgres } from '#scripts/machine/system-packages';
import { countingUpstream } from '#tests/relay/support/counting-upstream';
import { createDatabaseAt, startPreparedPostgres } from '#tests/relay/support/prepared-postgres';
import { relayFiles } from '#tests/relay/support/relay';
import { killRelays } from '#tests/relay/support/relay-process';

const parts: Readonly<Record<string, Part>> = {
  overhead,
  window: everyWindow,
  fairness,
  agents: manyAgents,
  revocation,
  kills: killed,
  outage,
  audit: auditGrowth,
};

export const relayParts: readonly string[] = Object.keys(parts);

/** Measures the relay on both stores, and prints a line for each figure. @param only a part's name; all without it */
export async function measureRelay(say: (line: string) => void, only = ''): Promise<number> {
  await obtainPostgres(say);
  const postgres = await startPreparedPostgres();
  try {
    for (const [name, database] of [
      ['SQLite', undefined],
      ['PostgreSQL', await createDatabaseAt(postgres)],
    ] as const) {
      const files = relayFiles(database);
      const seller = await countingUpstream();
      const setting = {
        files,
        seller,
        token: await files.join('ada@team.example'),
        other: await files.join('eve@team.example'),
        say: (line: string) => {
          say(`${name}: ${line}`);
        },
      };
      for (const [part, measure] of Object.entries(parts))
        if (part.includes(only)) await measure(setting);
      await seller.close();
      files.remove();
    }
  } finally {
    killRelays();
    closeConnections();
    await postgres.stop();
  }
  return 0;
}
