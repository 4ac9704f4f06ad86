import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';

import type { JsonObject } from '#core/encoding/index';
import {
  breakConnection,
  delayReply,
  falseBody,
  type InjectedFault,
  isOutage,
  outageReply,
} from '#sandbox/authority/faults';
import type { FaultQueue } from '#sandbox/fault-queue';
import { bearerOf, cappedBody, readJsonBody, sameSecret } from '#sandbox/gate';
import { type AuthorityKeys, toPem } from '#sandbox/authority/keys';
import type { Ledger } from '#sandbox/authority/ledger';
import { IssueRequest, ReceivedLicenseRequest, RevokeRequest } from '#sandbox/authority/requests';
import type { SettingsStore } from '#sandbox/authority/settings';

export interface Parts {
  readonly keys: AuthorityKeys;
  readonly settings: SettingsStore;
  readonly ledger: Ledger;
  readonly faults: FaultQueue<InjectedFault>;
  readonly clock: () => number;
}

interface Env {
  Bindings: Partial<HttpBindings>;
}

/** Serves the licensing API (spec section 4) and the public key. */
export function licenseRoutes(parts: Parts): Hono<Env> {
  const { keys, settings, ledger, clock } = parts;
  const app = new Hono<Env>();

  app.use('/api/license/v1/*', cappedBody);
  app.post('/api/license/v1/activate', (c) => certificateReply(c, 'activate', parts));
  app.post('/api/license/v1/validate', (c) => certificateReply(c, 'validate', parts));

  app.post('/api/license/v1/issue', async (c) => {
    const barred = bar(c, 'issue', settings.tokens.marketplace, parts);
    if (barred !== undefined) return barred;
    const request = await readJsonBody(c, IssueRequest);
    if (!request.ok) return request.fault;
    const { licenseId, license } = ledger.issue(request.value);
    return c.json({ status: 'success', license_id: licenseId, license });
  });

  app.post('/api/license/v1/revoke', async (c) => {
    const barred = bar(c, 'revoke', settings.tokens.administrator, parts);
    if (barred !== undefined) return barred;
    const request = await readJsonBody(c, RevokeRequest);
    if (!request.ok) return request.fault;
    const { license_id: licenseId, reason } = request.value;
    const revoked = ledger.revoke(licenseId, reason, 'administrator');
    if (revoked === undefined) return c.json({ status: 'error', msg: 'No such license.' }, 404);
    const revokedAt = new Date(revoked.revokedAt).toISOString();
    return c.json({ status: 'success', license_id: licenseId, revoked_at: revokedAt });
  });

  app.get('/public-key.pem', (c) =>
    c.body(toPem(keys.current().publicKey), 200, { 'Content-Type': 'application/x-pem-file' }),
  );
  app.get('/health', (c) => c.json({ status: 'success', now: new Date(clock()).toISOString() }));
  return app;
}

async function certificateReply(
  c: Context<Env>,
  endpoint: 'activate' | 'validate',
  { keys, settings, ledger, faults }: Parts,
): Promise<Response> {
  if (!settings.available()) return breakConnection(c);
  const fault = faults.take((one) => one.endpoint === 'any' || one.endpoint === endpoint);
  if (fault !== undefined && isOutage(fault.kind)) return outageReply(fault.kind, c);

  const request = await readJsonBody(c, ReceivedLicenseRequest);
  if (!request.ok) return request.fault;
  if (fault?.kind === 'refuse') {
    return c.json({ status: 'error', msg: 'The sandbox was told to refuse.' }, 403);
  }
  const decision = ledger[endpoint](request.value);
  if (fault?.kind === 'slow') await delayReply(fault.delayMs, c);
  if (fault?.kind === 'lost-answer') return breakConnection(c);
  if (!decision.ok) {
    return c.json({ status: 'error', msg: decision.fault.msg }, decision.fault.status);
  }
  const grant = decision.value;
  const body: JsonObject =
    fault === undefined || isOutage(fault.kind)
      ? { status: 'success', activation_certificate: grant.certificate }
      : falseBody(fault.kind, {
          grant,
          key: keys.current(),
          config: settings.config(),
          oldest: ledger.oldestCertificate(grant.terms.licenseId),
        });
  return c.json(body);
}

/** Answers 401 without a token and 403 with a wrong one, and audits both. */
function bar(
  c: Context<Env>,
  action: 'issue' | 'revoke',
  expected: string,
  { ledger, clock }: Parts,
): Response | undefined {
  const given = bearerOf(c);
  if (given !== undefined && sameSecret(given, expected)) return undefined;
  ledger.audit.record(clock(), {
    actor: 'unknown',
    action,
    outcome: 'refused',
    detail: given === undefined ? 'no bearer token' : 'another token',
  });
  if (given !== undefined) {
    return c.json({ status: 'error', msg: 'This token may not do that.' }, 403);
  }
  c.header('WWW-Authenticate', 'Bearer');
  return c.json({ status: 'error', msg: 'A bearer token is needed.' }, 401);
}
