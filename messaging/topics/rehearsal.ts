import type { EncodedReply } from '#core/authority/encoded-reply';
import type { JsonObject } from '#core/license/encoding/strict-json';
import type { ControlCommand, ControlState, SampleLicense } from '#core/rehearsal/control-api';
import type { Result } from '#core/result';
import type { AuthorityCall, AuthorityFault } from '#messaging/topics/authority';
import type { Topic } from '#messaging/topic';

/** Lists a rehearsal's calls, which go to test authorities alone. */
export interface RehearsalProtocol {
  'rehearsal.activate': Topic<AuthorityCall, Result<EncodedReply, RehearsalFault>>;
  'rehearsal.validate': Topic<AuthorityCall, Result<EncodedReply, RehearsalFault>>;
  'rehearsal.control': Topic<
    { authorityId: string; command: ControlCommand },
    Result<ControlState, RehearsalFault>
  >;
  'rehearsal.sample': Topic<
    { authorityId: string; claims: JsonObject },
    Result<SampleLicense, RehearsalFault>
  >;
}

export type RehearsalFault =
  | AuthorityFault
  /** A live authority is never rehearsed with. */
  | { readonly kind: 'not-test' }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'no-control'; readonly status: number };
