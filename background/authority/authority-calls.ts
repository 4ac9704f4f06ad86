import type { EncodedReply } from '#core/authority/encoded-reply';
import { encodeReply } from '#core/authority/encoded-reply';
import { authorityOriginOf } from '#core/authority/authority-match';
import type { Authority, LicenseRequest } from '#core/installation/ports';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { ControlCommand, ControlState, SampleLicense } from '#core/rehearsal/control-api';
import { type Result, fail, succeed } from '#core/result';
import { originPattern } from '#core/connections/origin';
import type { AuthorityControl } from '#adapters/http/authority-control';
import type { StoredAuthority } from '#adapters/storage/authority-store';
import type { Permissions } from '#adapters/browser/permissions';
import type { AuthorityCall, AuthorityFault, RehearsalFault } from '#messaging/authority-messages';
import type { Authorities } from '#background/authority/authorities';

interface Parts {
  readonly authorities: Pick<Authorities, 'find'>;
  readonly permissions: Permissions;
  readonly http: (address: string) => Authority;
  readonly control: (address: string, token: string) => AuthorityControl;
}

/** What goes out to authorities. The page judges what comes back; nothing of it is kept here. */
export interface AuthorityCalls {
  /** For the installation that the request names: to the authority it is that installation calling in. */
  validate(call: AuthorityCall): Promise<Result<EncodedReply, AuthorityFault>>;
  /** A rehearsal's own installation; test authorities only. */
  rehearse(
    endpoint: 'activate' | 'validate',
    call: AuthorityCall,
  ): Promise<Result<EncodedReply, RehearsalFault>>;
  command(
    authorityId: string,
    command: ControlCommand,
  ): Promise<Result<ControlState, RehearsalFault>>;
  sample(authorityId: string, claims: JsonObject): Promise<Result<SampleLicense, RehearsalFault>>;
}

export function createAuthorityCalls({
  authorities,
  permissions,
  http,
  control,
}: Parts): AuthorityCalls {
  async function reach(id: string): Promise<Result<StoredAuthority, AuthorityFault>> {
    const authority = await authorities.find(id);
    if (authority === undefined) return fail({ kind: 'no-authority' });
    if (await permissions.has(originPattern(authority.address))) return succeed(authority);
    return fail({ kind: 'not-permitted', origin: authorityOriginOf(authority.address) });
  }

  async function reachTest(id: string): Promise<Result<StoredAuthority, RehearsalFault>> {
    const reached = await reach(id);
    return reached.ok && reached.value.kind !== 'test' ? fail({ kind: 'not-test' }) : reached;
  }

  async function call(
    { address }: StoredAuthority,
    endpoint: 'activate' | 'validate',
    request: LicenseRequest,
  ): Promise<Result<EncodedReply, AuthorityFault>> {
    const reply = await http(address)[endpoint](request);
    return reply.ok ? succeed(encodeReply(reply.value)) : reply;
  }

  async function controlled<T>(
    id: string,
    task: (control: AuthorityControl) => Promise<Result<T, RehearsalFault>>,
  ): Promise<Result<T, RehearsalFault>> {
    const reached = await reachTest(id);
    if (!reached.ok) return reached;
    const { address, controlToken } = reached.value;
    return controlToken === undefined
      ? fail({ kind: 'no-token' })
      : task(control(address, controlToken));
  }

  return {
    async validate({ authorityId, request }) {
      const reached = await reach(authorityId);
      return reached.ok ? call(reached.value, 'validate', request) : reached;
    },
    async rehearse(endpoint, { authorityId, request }) {
      const reached = await reachTest(authorityId);
      return reached.ok ? call(reached.value, endpoint, request) : reached;
    },
    command: (id, command) => controlled(id, (strings) => strings.command(command)),
    sample: (id, claims) => controlled(id, (strings) => strings.sample(claims)),
  };
}
