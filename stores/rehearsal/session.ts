import { decodeReply, type EncodedReply } from '#core/authority/validation-request';
import {
  type ActivationFault,
  createInstallation,
  type Installation,
} from '#core/installation/installation';
import {
  createMemoryVault,
  type LicenseRequest,
  type LicensingApi,
  type TransportFault,
} from '#core/installation/ports';
import type { AuthorityRefusal } from '#core/installation/saved-state';
import { parseLicense } from '#core/license/document/document';
import { hostOf } from '#core/license/document/domain';
import type { PinnedKey } from '#core/license/keys/pinned-key';
import { parsePublicKey } from '#core/license/keys/public-key';
import { plainScript } from '#core/rehearsal/control-api';
import { fail, type Result, succeed } from '#core/result';
import type { RehearsalFault } from '#messaging/topics/rehearsal';

/** Describes one call to the authority and its outcome. */
export interface RehearsalCall {
  readonly endpoint: 'activate' | 'validate';
  readonly outcome: 'granted' | 'refused' | 'no-answer';
  /** Why the reply does not count. */
  readonly reason?: ActivationFault;
  readonly refusal?: AuthorityRefusal;
}

interface Props {
  readonly license: string;
  readonly domain: string;
  /** PEM. */
  readonly keys: readonly string[];
  /** Returns undefined when the worker was lost. */
  readonly call: (
    endpoint: 'activate' | 'validate',
    request: LicenseRequest,
  ) => Promise<Result<EncodedReply, RehearsalFault> | undefined>;
  /** Called after each call that went out. */
  readonly called: (call: RehearsalCall) => void;
  readonly failed: (fault: RehearsalFault | { readonly kind: 'worker-lost' }) => void;
}

/**
 * Creates the buyer's side on this page: the real installation over a vault in memory, its calls made by the worker.
 * The test authority's keys come from its control endpoint and count for this rehearsal alone: nothing is pinned.
 */
export function createRehearsalSession(props: Props): {
  installation: Installation;
  domain: string;
} {
  const { license, keys, call, called, failed } = props;
  const parsed = parseLicense(license);
  const says = parsed.ok ? parsed.value.content : undefined;
  const domain = hostOf(says?.domain ?? props.domain) ?? plainScript.domain;

  const send =
    (endpoint: 'activate' | 'validate'): LicensingApi['activate'] =>
    async (request) => {
      const reply = await call(endpoint, request);
      called({ endpoint, outcome: 'no-answer' });
      if (reply?.ok === true) return succeed(decodeReply(reply.value));
      if (reply !== undefined && isTransport(reply.fault)) return fail(reply.fault);
      failed(reply?.fault ?? { kind: 'worker-lost' });
      return fail({ kind: 'unreachable' });
    };

  const installation = createInstallation({
    authority: { activate: send('activate'), validate: send('validate') },
    vault: createMemoryVault(),
    keys: pinTestKeys(keys),
    domain,
    productSlug: says?.productSlug ?? '',
  });
  return { installation, domain };
}

/** Pins all keys for the one test authority, the retired ones too. */
function pinTestKeys(pems: readonly string[]): PinnedKey[] {
  const keys = pems.flatMap(pinTestKey);
  const [first] = keys;
  return keys.map((key) =>
    first === undefined ? key : { ...key, sameAuthorityAs: first.fingerprint },
  );
}

function pinTestKey(pem: string): PinnedKey[] {
  const key = parsePublicKey(pem);
  if (!key.ok) return [];
  const { raw, fingerprint } = key.value;
  return [{ id: fingerprint, label: '', raw, fingerprint, revoked: false, kind: 'test' }];
}

const transportFaults: readonly string[] = [
  'offline',
  'unreachable',
  'timeout',
  'redirected',
  'too-large',
] satisfies readonly TransportFault['kind'][];

function isTransport(fault: RehearsalFault): fault is TransportFault {
  return transportFaults.includes(fault.kind);
}
