import type { InjectionKey } from 'vue';

import type { Vault } from '#core/installation/ports';

/** Creates a vault for one rehearsal, which lives as long as the page. */
export const rehearsalVaultPort: InjectionKey<() => Vault> = Symbol('rehearsal vault');
