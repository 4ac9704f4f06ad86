import { type Ref, ref } from 'vue';

import type { InjectableFault } from '#core/rehearsal/control-api';
import type { RehearsalLog } from '#stores/rehearsal/events';
import type { TestAuthority } from '#stores/rehearsal/test-authority';

/** Lists what an agent can change at the test authority during a rehearsal. */
export interface AuthorityControls {
  readonly revoked: Ref<boolean>;
  setAvailable(available: boolean): Promise<void>;
  setRevoked(to: boolean): Promise<void>;
  /** Makes the next call to the authority go wrong. */
  injectFault(injected: InjectableFault): Promise<void>;
}

/**
 * Sends an agent's changes to the test authority and logs those it made.
 * @param runAlone runs one task at a time
 * @param licenseId the id of the rehearsal's license
 */
export function createAuthorityControls(
  testAuthority: Pick<TestAuthority, 'send'>,
  log: Pick<RehearsalLog, 'add'>,
  runAlone: (task: () => Promise<void>) => Promise<void>,
  licenseId: Readonly<Ref<string>>,
): AuthorityControls {
  const revoked = ref(false);
  return {
    revoked,
    setAvailable: (available) =>
      runAlone(async () => {
        if (await testAuthority.send({ do: 'availability', available }))
          log.add(available ? 'up' : 'down', []);
      }),
    setRevoked: (to) =>
      runAlone(async () => {
        const command = to ? 'revoke' : 'unrevoke';
        if (!(await testAuthority.send({ do: command, licenseId: licenseId.value }))) return;
        revoked.value = to;
        log.add(to ? 'revoked' : 'unrevoked', []);
      }),
    injectFault: (injected) =>
      runAlone(async () => {
        const commands = [{ do: 'clear-faults' }, { do: 'inject-fault', fault: injected }] as const;
        if (await testAuthority.send(...commands)) log.add('injected', [], { injected });
      }),
  };
}
