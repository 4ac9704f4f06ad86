import { exchange, type ExchangeDependencies } from '#adapters/http/http-exchange';
import type { LicenseRequest, LicensingApi, TransportFault } from '#core/installation/ports';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { RawReply } from '#core/marketplaces/exchange';
import {
  type ControlCommand,
  type ControlState,
  readControlState,
  readSampleLicense,
  type SampleLicense,
} from '#core/rehearsal/control-api';
import { fail, omitUndefined, type Result, succeed } from '#core/result';

/**
 * Calls a license authority over HTTP: activate and validate (spec section 4) alone, by the rules of `exchange`. The caller
 * decides when to ask again.
 * @param authorityUrl the spec's {authority_url}, without a slash at its end
 */
export function createAuthorityHttp(
  authorityUrl: string,
  dependencies: ExchangeDependencies,
): LicensingApi {
  const call = (endpoint: string, request: LicenseRequest): ReturnType<LicensingApi['activate']> =>
    exchange(
      {
        method: 'POST',
        url: `${authorityUrl}/api/license/v1/${endpoint}`,
        body: bodyOf(request),
      },
      dependencies,
    );
  return {
    activate: (request) => call('activate', request),
    validate: (request) => call('validate', request),
  };
}

function bodyOf({ license, domain, productSlug, installationId }: LicenseRequest): object {
  return { license, domain, product_slug: productSlug, installation_id: installationId };
}

/**
 * Tells why a control call failed. `token-refused`: the control token is wrong. `no-control`: the address has no
 * control API.
 */
export type ControlFault =
  | TransportFault
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'no-control'; readonly status: number };

/** Calls the control API of a test authority. */
export interface AuthorityControl {
  /** Executes the command and returns the state of the authority after it. */
  command(command: ControlCommand): Promise<Result<ControlState, ControlFault>>;
  /** Has the claims signed as a sample license, under a new id. */
  sample(claims: JsonObject): Promise<Result<SampleLicense, ControlFault>>;
}

/**
 * Calls the control API of the sandbox's authority (`sandbox/README.md`), by the rules of `exchange`.
 * @param address without a slash at its end
 */
export function createAuthorityControl(
  address: string,
  token: string,
  dependencies: ExchangeDependencies,
): AuthorityControl {
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Result<RawReply, ControlFault>> => {
    const headers = { Authorization: `Bearer ${token}` };
    const url = `${address}/control/${path}`;
    const reply = await exchange(omitUndefined({ method, url, headers, body }), dependencies);
    if (!reply.ok) return reply;
    const { status } = reply.value;
    if (status === 401) return fail({ kind: 'token-refused' });
    return status === 200 ? reply : fail({ kind: 'no-control', status });
  };

  return {
    async command(command) {
      const done = command.do === 'look' ? undefined : await call(...callOf(command));
      if (done?.ok === false) return done;
      const state = await call('GET', 'state');
      return state.ok ? controlResult(readControlState(state.value), state.value) : state;
    },
    async sample(claims) {
      const made = await call('POST', 'sample', { claims });
      return made.ok ? controlResult(readSampleLicense(made.value), made.value) : made;
    },
  };
}

function controlResult<T>(value: T | undefined, { status }: RawReply): Result<T, ControlFault> {
  return value === undefined ? fail({ kind: 'no-control', status }) : succeed(value);
}

function callOf(
  command: Exclude<ControlCommand, { readonly do: 'look' }>,
): [method: 'POST' | 'DELETE', path: string, body?: object] {
  switch (command.do) {
    case 'clock':
      return ['POST', 'clock', command.now === undefined ? { offsetMs: 0 } : { now: command.now }];
    case 'availability':
      return ['POST', 'availability', { available: command.available }];
    case 'revoke':
      return ['POST', 'revoke', { licenseId: command.licenseId }];
    case 'unrevoke':
      return ['POST', 'unrevoke', { licenseId: command.licenseId }];
    case 'inject-fault':
      return ['POST', 'faults', { kind: command.fault }];
    case 'clear-faults':
      return ['DELETE', 'faults'];
  }
}
