import { computed, type ComputedRef, type Ref, ref, type ShallowRef, shallowRef } from 'vue';

import type { BaseAddressProblem } from '#core/address/index';
import { bytesOfHex } from '#core/encoding/index';
import { fingerprintOf } from '#core/keys/index';
import { omitUndefined, type Result } from '#core/result';
import {
  parseRelayAddress,
  type RelayAddress,
  type RelayInfo,
  type TeamFault,
} from '#core/team/index';
import { accessPort, usePort } from '#stores/ports';
import { relayInfoPort } from '#stores/team/ports';

/** A relay found at an address, to be confirmed before joining it. */
export interface FoundRelay extends RelayAddress {
  readonly info: RelayInfo;
  /** The fingerprint of the key that signs the team's settings. */
  readonly fingerprint?: string;
}

export interface RelayLookup {
  readonly typed: Ref<string>;
  /** Whether a look-up was tried; problems of the address are shown only after that. */
  readonly tried: Ref<boolean>;
  readonly address: ComputedRef<Result<RelayAddress, BaseAddressProblem>>;
  readonly found: ShallowRef<FoundRelay | undefined>;
  /**
   * Asks the browser for access in the task of the click, then the relay to identify itself.
   * @returns why it was not found; undefined if it was found
   */
  readonly lookUp: (at: RelayAddress) => Promise<TeamFault | undefined>;
}

/** Call it in a store's setup. */
export function createRelayLookup(): RelayLookup {
  const access = usePort(accessPort);
  const relayInfo = usePort(relayInfoPort);
  const typed = ref('');
  const found = shallowRef<FoundRelay>();
  return {
    typed,
    tried: ref(false),
    address: computed(() => parseRelayAddress(typed.value)),
    found,
    async lookUp(at) {
      if (!(await access(at.relay))) return { kind: 'not-permitted', origin: at.relay };
      const info = await relayInfo(at.relay);
      if (!info.ok) return info.fault;
      const { settingsKey } = info.value;
      found.value = omitUndefined({
        ...at,
        info: info.value,
        fingerprint: settingsKey && fingerprintOfHex(settingsKey),
      });
      return undefined;
    },
  };
}

export function fingerprintOfHex(key: string): string {
  return fingerprintOf(bytesOfHex(key) ?? new Uint8Array());
}
