import {
  createDocumentVerifier,
  type DocumentVerifier,
  type VerifyContext,
} from '#core/license/index';
import {
  judgeReply,
  type PresentCertificate,
  type ValidationOutcome,
} from '#core/installation/judge-reply';
import {
  type InstallationFault,
  type Permit,
  permitFor,
  type StoredLicense,
} from '#core/installation/permit';
import type {
  LicenseRequest,
  LicensingApi,
  TransportFault,
  Vault,
  VaultFault,
} from '#core/installation/ports';
import {
  findLaterRefusal,
  hasCertificate,
  recordActivation,
  recordValidation,
} from '#core/installation/record';
import { createKeptState } from '#core/installation/kept-state';
import { type AuthorityRefusal, type SavedState } from '#core/installation/saved-state';
import { hostOf } from '#core/http/host';
import { hexOf } from '#core/encoding/index';
import { type PinnedKey } from '#core/keys/index';
import { chooseEngine, type Ed25519Engine } from '#core/keys/ed25519';
import { fail, type Result, succeed, omitUndefined } from '#core/result';
import type { RawReply } from '#core/http/exchange';

/**
 * Makes a random UUID of version 4 (RFC 9562, section 5.4). Unlike `crypto.randomUUID`, it works outside secure
 * contexts.
 */
function newInstallationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export interface InstallationOptions {
  readonly authority: LicensingApi;
  readonly vault: Vault;
  /** The authority's pinned keys. A license or certificate signed by any other key is ignored. */
  readonly keys: readonly PinnedKey[];
  /** The domain of this installation. */
  readonly domain: string;
  readonly productSlug: string;
  /** The origin of `{authority_url}`. If set, keys limited to another origin are ignored. */
  readonly authorityOrigin?: string;
  /** By default, the fastest engine that is correct in this runtime. */
  readonly engine?: Ed25519Engine;
}

/** Why an activation failed. `refused`: the authority explicitly refused. */
export type ActivationFault = InstallationFault | ({ readonly kind: 'refused' } & AuthorityRefusal);

/** The buyer's side of the licensing API, by the table of spec section 3. It can neither issue nor revoke. */
export interface Installation {
  /**
   * Binds the license to this domain and this installation. The license is verified before anything is sent. The answer
   * counts only if it has a certificate that verifies and is bound to them. On failure the stored state does not
   * change.
   * @param now epoch milliseconds of the real clock, as in `permit`
   */
  activate(license: string, now: number): Promise<Result<Permit, ActivationFault>>;
  /**
   * Tells whether protected use is permitted now. Within the validation period the stored state alone decides. When
   * validation is due the authority is asked: concurrent callers share one request, and the pauses grow after failures.
   */
  permit(now: number): Promise<Permit>;
}

/** One request, and the state stored when it was sent. */
interface Question {
  readonly request: LicenseRequest;
  readonly stored: StoredLicense;
  readonly now: number;
}

/** How far the stored latest moment may lag, to avoid a write at each use. A clock may be five minutes off anyway. */
const clockStepMs = 60_000;

/**
 * Creates an installation over its authority and its vault.
 * @throws if `domain` names no host
 */
export function createInstallation(options: InstallationOptions): Installation {
  const { authority, vault, productSlug } = options;
  const domain = hostOf(options.domain);
  if (domain === undefined) throw new Error(`“${options.domain}” names no host.`);
  const verifier = createDocumentVerifier({ domain, productSlug }, verifyContext(options));

  const { read, save } = createKeptState(vault);
  let validation: Promise<void> | undefined;
  let contacts = 0;
  let contactFault: InstallationFault | undefined;

  const open = async (): Promise<StoredLicense> => {
    const state = await read();
    if (!state.ok) return { state: { oddities: [] }, fault: state.fault };
    return verifyState(verifier, state.value);
  };

  const noteClock = (now: number): Promise<unknown> =>
    save((state) => ({ ...state, latestSeen: Math.max(now, state.latestSeen ?? 0) }));

  /**
   * Judges a reply and saves the result. Another program may have saved an answer in the meantime: a certificate is
   * then judged again against a newer one, and the refusal of a later question stays.
   */
  const settle = async (
    reply: Result<RawReply, TransportFault>,
    { request, stored, now }: Question,
    record: typeof recordValidation,
  ): Promise<{ outcome: ValidationOutcome; saved: Result<SavedState, VaultFault> }> => {
    let known = stored;
    for (;;) {
      const { state } = known;
      const present = state.license === request.license ? presentOf(known) : undefined;
      const held = omitUndefined({ request, present });
      const outcome = await judgeReply(reply, held, verifier);
      const refusalIn = (latest: SavedState): AuthorityRefusal | undefined =>
        findLaterRefusal(latest, stored.state, request, now);
      const saved = await save((latest) => {
        const isOvertaken =
          outcome.kind === 'granted' &&
          (!hasCertificate(latest, state.certificate) || refusalIn(latest) !== undefined);
        return isOvertaken ? latest : record(latest, outcome, request, now);
      });
      if (outcome.kind !== 'granted' || !saved.ok) return { outcome, saved };
      if (hasCertificate(saved.value, outcome.written)) return { outcome, saved };
      const refusal = refusalIn(saved.value);
      if (refusal !== undefined) return { outcome: { kind: 'refused', refusal }, saved };
      if (hasCertificate(saved.value, state.certificate)) return { outcome, saved };
      known = await verifyState(verifier, saved.value);
    }
  };

  const validate = async (stored: StoredLicense, now: number): Promise<void> => {
    const { state, certificate } = stored;
    if (certificate === undefined) return;
    const request = requestOf(state.license ?? '', state.installationId ?? '');
    const reply = await authority.validate(request);
    const { outcome, saved } = await settle(reply, { request, stored, now }, recordValidation);
    contacts += 1;
    contactFault = faultOf(outcome) ?? (saved.ok ? undefined : saved.fault);
  };

  const requestOf = (license: string, installationId: string): LicenseRequest => ({
    license,
    domain,
    productSlug,
    installationId,
  });

  const permit = async (now: number): Promise<Permit> => {
    const heard = contacts;
    const stored = await open();
    const { state, certificate } = stored;
    const found = permitFor(stored, now, contactFault);
    if (certificate !== undefined && now - (state.latestSeen ?? 0) >= clockStepMs) {
      await noteClock(now);
    }
    const due = certificate !== undefined && found.standing !== 'activated';
    if (!due || found.retryAt !== undefined) return found;
    // Another validation has finished since the vault was read, so that reading is outdated.
    if (heard !== contacts) return permit(now);
    validation ??= validate(stored, now).finally(() => {
      validation = undefined;
    });
    await validation;
    return permitFor(await open(), now, contactFault);
  };

  const activate = async (
    pasted: string,
    now: number,
  ): Promise<Result<Permit, ActivationFault>> => {
    const token = pasted.trim();
    const license = await verifier.license(token);
    if (!license.ok) return license;
    const newId = newInstallationId();
    const begun = await save((state) =>
      state.installationId === undefined ? { ...state, installationId: newId } : state,
    );
    if (!begun.ok) return begun;

    const request = requestOf(token, begun.value.installationId ?? newId);
    const stored = await open();
    const reply = await authority.activate(request);
    const { outcome, saved } = await settle(reply, { request, stored, now }, recordActivation);
    if (outcome.kind === 'refused') return fail({ kind: 'refused', ...outcome.refusal });
    if (outcome.kind === 'unavailable') return fail(outcome.fault);
    contacts += 1;
    contactFault = undefined;
    return saved.ok ? succeed(permitFor(await open(), now, undefined)) : saved;
  };

  return { activate, permit };
}

async function verifyState(verifier: DocumentVerifier, state: SavedState): Promise<StoredLicense> {
  const { license: token, certificate: written, installationId, oddities } = state;
  if (token === undefined) return { state };
  if (written === undefined || installationId === undefined) {
    const license = await verifier.license(token);
    return license.ok ? { state } : { state, fault: license.fault };
  }
  const asFound = typeof written === 'string' ? written : { object: written, oddities };
  const certificate = await verifier.certificate(asFound, token, installationId);
  return certificate.ok
    ? { state, certificate: certificate.value }
    : { state, fault: certificate.fault };
}

function presentOf({ certificate, state }: StoredLicense): PresentCertificate | undefined {
  const { certificate: written } = state;
  return certificate === undefined || written === undefined ? undefined : { certificate, written };
}

function faultOf(outcome: ValidationOutcome): InstallationFault | undefined {
  return outcome.kind === 'unavailable' ? outcome.fault : undefined;
}

function verifyContext(options: InstallationOptions): () => Promise<VerifyContext> {
  const { keys, authorityOrigin } = options;
  let context: Promise<VerifyContext> | undefined;
  const make = async (): Promise<VerifyContext> =>
    omitUndefined({
      keys,
      engine: options.engine ?? (await chooseEngine()),
      authority: authorityOrigin,
    });
  return () => (context ??= make());
}
