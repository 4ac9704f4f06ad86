import { createAuthorityHttp } from '#adapters/http/authority-http';
import {
  createInstallation,
  type Installation,
  type InstallationOptions,
} from '#core/installation/installation';
import { createMemoryVault, type LicensingApi, type Vault } from '#core/installation/ports';
import { type PinnedKey, parsePublicKey } from '#core/keys/index';
import { productSlug } from '#tests/sandbox/authority/authority-harness';

/** Runs a buyer's site against an authority and counts its calls; everything else is as it is in use. */
export interface Site {
  readonly installation: Installation;
  readonly vault: Vault;
  /** How often each call was made. */
  readonly calls: { activate: number; validate: number };
  /** What the vault holds, as JSON. */
  saved(): Promise<Record<string, unknown>>;
  /** The same site after its program was started again. */
  restart(): Site;
}

interface Target {
  readonly origin: string;
  readonly publicKey: { readonly pem: string };
}

export function openSite(
  target: Target,
  options: Partial<InstallationOptions> & { timeoutMs?: number } = {},
): Site {
  const calls = { activate: 0, validate: 0 };
  const vault = options.vault ?? createMemoryVault();
  const { timeoutMs = 10_000, ...rest } = options;
  const http = createAuthorityHttp(target.origin, {
    fetch,
    isOnline: () => true,
    now: Date.now,
    timeoutMs,
  });
  const authority: LicensingApi = {
    activate(request) {
      calls.activate += 1;
      return http.activate(request);
    },
    validate(request) {
      calls.validate += 1;
      return http.validate(request);
    },
  };
  const installation = createInstallation({
    authority,
    keys: [pin(target.publicKey.pem)],
    domain: 'shop.example.com',
    productSlug,
    ...rest,
    vault,
  });
  return {
    installation,
    vault,
    calls,
    async saved() {
      const read = await vault.read();
      return JSON.parse((read.ok ? read.value : undefined) ?? '{}') as Record<string, unknown>;
    },
    restart: () => openSite(target, { ...options, vault }),
  };
}

export function pin(pem: string, more: Partial<PinnedKey> = {}): PinnedKey {
  const key = parsePublicKey(pem);
  if (!key.ok) throw new Error(key.fault.kind);
  const { raw, fingerprint } = key.value;
  return {
    id: 'sandbox',
    label: 'Sandbox',
    raw,
    fingerprint,
    revoked: false,
    kind: 'test',
    ...more,
  };
}
