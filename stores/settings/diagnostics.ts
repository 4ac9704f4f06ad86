import { defineStore } from 'pinia';

import { diagnosticsText } from '#stores/settings/diagnostics-text';
import type { Fault } from '#core/marketplaces/index';
import type { Result } from '#core/result';
import { recentChecksPort } from '#stores/check/index';
import { useConnectionTest } from '#stores/connections/connection-test';
import { askPort, usePort } from '#stores/ports';
import { programPort } from '#stores/settings/ports';
import { verifierPorts } from '#stores/verifier/index';

/** Collects facts that help to find a fault in the program, without any that identify a customer, a seller or a key. */
export const useDiagnostics = defineStore('diagnostics', () => {
  const ask = usePort(askPort);
  const program = usePort(programPort);
  const ring = usePort(verifierPorts.keyRing);
  const recent = usePort(recentChecksPort);
  const tests = useConnectionTest();

  const testedOf = (id: string): { readonly tested?: Fault | 'good' } => {
    const result = tests.accounts.get(id)?.result;
    return result === undefined ? {} : { tested: outcomeOf(result) };
  };

  async function text(): Promise<string> {
    const [connections, authorities, sites, secrets, unreadable, keys, checked] = await Promise.all(
      [
        ask('connections.list', {}),
        ask('authorities.list', {}),
        ask('sites.list', {}),
        ask('secrets.state', {}),
        ask('unreadable.list', {}),
        ring.read(),
        recent.read(),
      ],
    );
    return diagnosticsText({
      version: program.version,
      browser: program.browser,
      secrets,
      authorities,
      sites,
      keys,
      connections: connections.map((one) => ({ ...one, ...testedOf(one.id) })),
      unreadable: unreadable.records,
      newer: unreadable.newer,
      checks: checked.flatMap(({ checks }) =>
        checks.flatMap(({ report }) => (report === undefined ? [] : [outcomeOf(report.outcome)])),
      ),
    });
  }

  return { text };
});

function outcomeOf(result: Result<unknown, Fault>): Fault | 'good' {
  return result.ok ? 'good' : result.fault;
}
