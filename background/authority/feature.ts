import type { Permissions } from '#adapters/browser/permissions';
import type { AuthorityControl } from '#adapters/http/authority-http';
import { type Authorities, createAuthorities } from '#background/authority/authorities';
import type { AdministrationContext } from '#background/dependencies';
import { type StoredAuthority, authorityOriginOf } from '#core/authority/authority';
import { type EncodedReply, encodeReply } from '#core/authority/validation-request';
import { originPattern } from '#core/connections/origin';
import type { LicenseRequest, LicensingApi } from '#core/installation/ports';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { ControlCommand, ControlState, SampleLicense } from '#core/rehearsal/control-api';
import { fail, type Result, succeed } from '#core/result';
import type { HandlersOf } from '#messaging/serve';
import type { AuthorityCall, AuthorityFault, AuthorityReplies } from '#messaging/topics/authority';
import type { RehearsalFault, RehearsalReplies } from '#messaging/topics/rehearsal';

export interface AuthorityFeature {
  readonly handlers: HandlersOf<AuthorityReplies> & HandlersOf<RehearsalReplies>;
  readonly alarmHandlers: { readonly 'finalise-authorities': () => Promise<void> };
  readonly start: () => Promise<void>;
}

export function createAuthorityFeature(context: AdministrationContext): AuthorityFeature {
  const { permissions, originPermissions, runExclusive, now } = context;
  const authorities = createAuthorities({
    store: context.authorities,
    permissions,
    originPermissions,
    runExclusive,
    now,
    scheduleAlarm: (moment) => context.scheduleAlarm('finalise-authorities', moment),
  });
  const calls = createAuthorityCalls({
    authorities,
    permissions,
    http: context.authorityHttp,
    control: context.authorityControl,
  });

  return {
    handlers: {
      'authorities.list': () => authorities.list(),
      'authorities.save': (draft, nonce) => authorities.save(draft, nonce),
      'authorities.set-control': ({ id, token }) => authorities.setControl(id, token),
      'authorities.delete': ({ id }) => authorities.delete(id),
      'authorities.restore': ({ id }) => authorities.restore(id),
      'authority.validate': (call) => calls.validate(call),
      'rehearsal.activate': (call) => calls.rehearse('activate', call),
      'rehearsal.validate': (call) => calls.rehearse('validate', call),
      'rehearsal.control': ({ authorityId, command }) => calls.command(authorityId, command),
      'rehearsal.sample': ({ authorityId, claims }) => calls.sample(authorityId, claims),
    },
    alarmHandlers: { 'finalise-authorities': () => authorities.finalise() },
    start: () => authorities.finalise(),
  };
}

interface CallDependencies {
  readonly authorities: Pick<Authorities, 'find'>;
  readonly permissions: Permissions;
  readonly http: (address: string) => LicensingApi;
  readonly control: (address: string, token: string) => AuthorityControl;
}

/** Sends requests to authorities. The page judges the replies; none is stored here. */
interface AuthorityCalls {
  /** Validates in the name of the request's installation. */
  validate(call: AuthorityCall): Promise<Result<EncodedReply, AuthorityFault>>;
  /** Activates or validates a rehearsal's own installation; test authorities only. */
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

function createAuthorityCalls({
  authorities,
  permissions,
  http,
  control,
}: CallDependencies): AuthorityCalls {
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

  async function withControl<T>(
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
    command: (id, command) => withControl(id, (api) => api.command(command)),
    sample: (id, claims) => withControl(id, (api) => api.sample(claims)),
  };
}
