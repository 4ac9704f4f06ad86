import { createAuthorities } from '#background/authority/authorities';
import { createAuthorityCalls } from '#background/authority/authority-calls';
import type { WorkerContext } from '#background/dependencies';
import type { AuthorityReplies } from '#messaging/topics/authority';
import type { RehearsalReplies } from '#messaging/topics/rehearsal';
import type { HandlersOf } from '#messaging/serve';

export interface AuthorityFeature {
  readonly handlers: HandlersOf<AuthorityReplies> & HandlersOf<RehearsalReplies>;
  readonly alarmHandlers: { readonly 'finalise-authorities': () => Promise<void> };
  readonly start: () => Promise<void>;
}

export function createAuthorityFeature(context: WorkerContext): AuthorityFeature {
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
