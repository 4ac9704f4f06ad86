import { computed, type ComputedRef } from 'vue';

import type { SecretMode } from '#core/connections/secret';
import { useSecrets } from '#stores/connections/secrets';
import { usePolicy } from '#stores/policy/policy';

/** Returns how the organization demands that keys are stored while they are stored otherwise: until then none can be entered. */
export function useUnmetStorage(): ComputedRef<SecretMode | undefined> {
  const policy = usePolicy();
  const secrets = useSecrets();
  return computed(() => {
    const demanded = policy.policy?.keyStorage?.mode;
    const present = secrets.state?.mode;
    return present === undefined || present === demanded ? undefined : demanded;
  });
}
