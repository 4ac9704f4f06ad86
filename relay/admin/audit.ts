import { emailsOf } from '#relay/admin/agents';
import { command, type CommandContext, printCsv } from '#relay/admin/command';
import { openVault, rotate } from '#relay/keys/vault';
import type { Stored } from '#relay/store/index';
import { isMonth } from '#relay/month';
import { Problem, whole } from '#relay/problem';

const columns = [
  ...(['at', 'kind', 'result', 'callId', 'agent', 'token', 'connection', 'call'] as const),
  ...(['codeHmac', 'codeLast4'] as const),
];

const month = { type: 'string' } as const;

export const auditCommands = {
  'audit csv': command(
    { takes: '[--month YYYY-MM] > FILE', options: { month } },
    async (context, _, values) => {
      // This must come before the header is printed.
      const wanted = readMonth(values.month);
      await context.store.readAudit(wanted, await rowPrinter(context));
    },
  ),

  // Prints the rows about one code or item, which the audit stores only as an HMAC.
  'audit find': command(
    { takes: '[--month YYYY-MM] < FILE', options: { month } },
    async (context, _, values) => {
      const { store, keyring, readInput, print } = context;
      const wanted = readMonth(values.month);
      const vault = await openVault(store, keyring());
      const code = (await readInput()).trim();
      if (code === '') throw new Problem('Standard input is empty: it takes the code.');
      // Requests contain the code as typed, and the HMAC is of that spelling.
      const spellings = [code, code.toLowerCase(), code.toUpperCase()];
      const hmacs = new Set(spellings.map((spelling) => vault.hmac('audit-hmac', spelling)));
      const found: Stored<'audit'>[] = [];
      await store.readAudit(wanted, (row) => {
        if (row.codeHmac !== undefined && hmacs.has(row.codeHmac)) found.push(row);
      });
      if (found.length === 0) print('The audit has no call about this code as it is spelled here.');
      else found.forEach(await rowPrinter(context));
    },
  ),

  'audit keep': command(
    { takes: '[MONTHS|all]', begins: true, names: ['how many months, or "all"?'] },
    async ({ store, print }, [months]) => {
      if (months !== '') {
        const kept = months === 'all' ? undefined : whole(months, 1, 120, 'MONTHS, unless "all",');
        await store.keepAudit(kept);
        const dropped = await store.dropOldAudit();
        if (dropped > 0) print(`Dropped ${String(dropped)} rows.`);
      }
      const kept = await store.keptMonths();
      print(
        kept === undefined
          ? 'Every month of the audit is kept.'
          : `The present month of the audit and ${String(kept)} before it are kept. The relay drops what grows older each day.`,
      );
    },
  ),
};

/** Wraps stored keys again after the master key was rotated. */
export const rotateMasterKey = command({}, async ({ store, keyring, print }) => {
  const keys = keyring();
  const count = await rotate(store, keys);
  print(`${String(count)} keys are wrapped anew under the master key ${keys.currentId}.`);
});

/** Prints the header, and returns a function that prints a row. A removed agent no longer has an address. */
async function rowPrinter(context: CommandContext): Promise<(row: Stored<'audit'>) => void> {
  const emails = await emailsOf(context.store);
  printCsv(context, [...columns, 'email', 'actor']);
  return (row) => {
    const at = new Date(row.at).toISOString();
    const cells = columns.map((name) => (name === 'at' ? at : row[name]));
    const email = row.agent === undefined ? undefined : emails.get(row.agent);
    printCsv(context, [...cells, email, row.actor]);
  };
}

function readMonth(given: string | undefined): string | undefined {
  if (given === undefined || isMonth(given)) return given;
  throw new Problem('--month is a month: YYYY-MM');
}
