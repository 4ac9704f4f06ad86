import type { Permissions } from '#adapters/browser/permissions';
import { type Authorities, createAuthorities } from '#background/authority/authorities';
import type { AdministrationContext } from '#background/dependencies';
import {
  authorityOriginOf,
  type EncodedReply,
  encodeReply,
  type StoredAuthority,
} from '#core/authority/index';
import { originPattern } from '#core/address/index';
import type { LicensingApi } from '#core/installation/index';
import { fail, type Result, succeed } from '#core/result';
import type { Body, Handlers, Refusal } from '#messaging/index';

type AuthorityCall = Body<'authority.validate'>;
type AuthorityFault = Refusal<'authority.validate'>;

export interface AuthorityFeature {
  readonly handlers: Handlers<'authorities' | 'authority'>;
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
  const validate = createValidate({
    authorities,
    permissions,
    http: context.authorityHttp,
  });

  return {
    handlers: {
      'authorities.list': () => authorities.list(),
      'authorities.save': (draft, nonce) => authorities.save(draft, nonce),
      'authorities.delete': ({ id }) => authorities.delete(id),
      'authorities.restore': ({ id }) => authorities.restore(id),
      'authority.validate': validate,
    },
    alarmHandlers: { 'finalise-authorities': () => authorities.finalise() },
    start: () => authorities.finalise(),
  };
}

interface CallDependencies {
  readonly authorities: Pick<Authorities, 'find'>;
  readonly permissions: Permissions;
  readonly http: (address: string) => LicensingApi;
}

/** Creates the handler that sends requests to authorities. The page judges the replies; none is stored here. */
function createValidate({
  authorities,
  permissions,
  http,
}: CallDependencies): (call: AuthorityCall) => Promise<Result<EncodedReply, AuthorityFault>> {
  async function reach(id: string): Promise<Result<StoredAuthority, AuthorityFault>> {
    const authority = await authorities.find(id);
    if (authority === undefined) return fail({ kind: 'no-authority' });
    if (await permissions.has(originPattern(authority.address))) return succeed(authority);
    return fail({ kind: 'not-permitted', origin: authorityOriginOf(authority.address) });
  }

  return async ({ authorityId, request }) => {
    const reached = await reach(authorityId);
    if (!reached.ok) return reached;
    const reply = await http(reached.value.address).validate(request);
    return reply.ok ? succeed(encodeReply(reply.value)) : reply;
  };
}
