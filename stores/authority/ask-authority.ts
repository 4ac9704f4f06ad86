import {
  authorityOriginOf,
  type AuthorityState,
  createValidationInquiry,
  decodeReply,
  type EncodedReply,
  type ValidationRequest,
} from '#core/authority/index';
import type { TransportFault } from '#core/installation/index';
import { clockToleranceMs } from '#core/time/index';
import { chooseEngine } from '#core/keys/ed25519';
import type { Expected, Inspection } from '#core/license/index';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import type { Refusal } from '#messaging/index';
import { askPort, clockPort, usePort } from '#stores/ports';
import { type Answered, useAuthorityAnswers, verifierPorts } from '#stores/verifier/index';

type AuthorityFault = Refusal<'authority.validate'>;

type NotAskedFault = Extract<Answered['outcome'], { readonly kind: 'unasked' }>['fault'];

/**
 * Asks an authority about an opened bundle and records its answer. Does nothing while an earlier request is running.
 */
type AskAuthority = (
  authority: AuthorityState,
  validation: ValidationRequest,
  about: { readonly inspection: Inspection; readonly expected: Expected },
) => Promise<void>;

export function useAskAuthority(): AskAuthority {
  const ask = usePort(askPort);
  const clock = usePort(clockPort);
  const ring = usePort(verifierPorts.keyRing);
  const verify = usePort(verifierPorts.verify);
  const clockMemory = usePort(verifierPorts.clockMemory);
  const answers = useAuthorityAnswers();

  const askOnce: AskAuthority = async (authority, { request }, { inspection, expected }) => {
    const keys = await ring.read();
    const inquiry = createValidationInquiry(request, inspection, {
      keys,
      engine: await chooseEngine(),
      authority: authorityOriginOf(authority.address),
    });
    const about = { authority, before: inspection };
    const unasked = (fault: NotAskedFault): void => {
      answers.note({ ...about, at: clock(), outcome: { kind: 'unasked', fault } });
    };
    const documentFault = await inquiry.fault();
    if (documentFault !== undefined) {
      unasked(documentFault);
      return;
    }
    const reply = await ask('authority.validate', { authorityId: authority.id, request }).catch(
      () => fail({ kind: 'worker-lost' }),
    );
    const received = receivedFrom(reply);
    if (received.kind === 'unasked') {
      unasked(received.fault);
      return;
    }
    const at = clock();
    const { outcome, state, lastContact } = await inquiry.judge(received.reply, at);
    if (outcome.kind === 'granted' && outcome.certificate.signed.kind === 'live') {
      // A new certificate that agrees with the clock proves that the clock is right, so a later remembered moment can
      // be discarded.
      const { issuedAt } = outcome.certificate;
      if (issuedAt !== undefined && Math.abs(issuedAt - at) <= clockToleranceMs)
        await clockMemory.reset(at);
    }
    const latestSeen = await clockMemory.note(at);
    const answer = answers.provenBy({ ...about, at, outcome });
    const context = omitUndefined({
      now: at,
      latestSeen,
      keys,
      expected: { ...expected },
      unreached: false,
      // We asked the authority ourselves, so this does not depend on the customer's statement.
      lastContact,
      // A refusal counts until the authority answers again, so an outage after it opens no grace.
      answers: answer === undefined ? answers.list : [answer],
    });
    const after = await verify
      .ask({ ask: 'inspect', source: { text: state }, context })
      .then((report) => ({ after: report.inspection }))
      .catch(() => ({}));
    answers.note({ ...about, at, outcome, ...after });
  };

  return async (authority, validation, about) => {
    if (answers.busy) return;
    answers.busy = true;
    await askOnce(authority, validation, about).finally(() => {
      answers.busy = false;
    });
  };
}

type Received =
  | { readonly kind: 'received'; readonly reply: Result<RawReply, TransportFault> }
  | { readonly kind: 'unasked'; readonly fault: NotAskedFault };

/** Returns the authority's reply or a transport failure; undefined for a request that was never sent. */
function receivedFrom(
  reply: Result<EncodedReply, AuthorityFault | { readonly kind: 'worker-lost' }>,
): Received {
  if (reply.ok) return { kind: 'received', reply: succeed(decodeReply(reply.value)) };
  const { fault } = reply;
  switch (fault.kind) {
    case 'no-authority':
    case 'not-permitted':
    case 'worker-lost':
      return { kind: 'unasked', fault };
    case 'offline':
    case 'unreachable':
    case 'timeout':
    case 'redirected':
    case 'too-large':
      return { kind: 'received', reply: fail(fault) };
  }
}
