import { Hono } from 'hono';
import * as v from 'valibot';

import type { JsonObject } from '#core/encoding/index';
import { InjectedFault } from '#sandbox/authority/faults';
import { cappedBody, controlOnly, readJsonBody } from '#sandbox/gate';
import { type AuthorityKey, fingerprintOf, toPem } from '#sandbox/authority/keys';
import type { Parts } from '#sandbox/authority/routes';
import { AuthorityConfig } from '#sandbox/authority/settings';

/**
 * Nearly ten thousand years in each direction, so that the clock and every deadline derived from it fit into a `Date`.
 */
const maxOffset = 3e14;
const offset = v.pipe(v.number(), v.integer(), v.minValue(-maxOffset), v.maxValue(maxOffset));

const ClockChange = v.union([
  v.strictObject({ offsetMs: offset }),
  v.strictObject({ advanceMs: offset }),
  v.strictObject({ now: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8e15)) }),
]);
const LicenseId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));

/**
 * Creates the control API for demos and tests. Every call needs the control token as a bearer token, and must come from
 * this server's own pages, an extension, or outside a browser. Bodies and replies are JSON.
 */
export function controlRoutes(parts: Parts, realNow: () => number): Hono {
  const { keys, settings, ledger, faults, clock } = parts;
  const app = new Hono();
  const state = (): object => ({
    now: clock(),
    offsetMs: settings.clockOffset(),
    available: settings.available(),
    config: settings.config(),
    faults: faults.list(),
    keys: keys.all().map(describeKey),
  });

  app.use('/control/*', controlOnly(settings.tokens.control), cappedBody);

  app.get('/control/state', (c) => c.json(state()));

  app.post('/control/clock', async (c) => {
    const change = await readJsonBody(c, ClockChange);
    if (!change.ok) return change.fault;
    const to = change.value;
    const offsetMs =
      'offsetMs' in to
        ? to.offsetMs
        : 'advanceMs' in to
          ? settings.clockOffset() + to.advanceMs
          : to.now - realNow();
    if (Math.abs(offsetMs) > maxOffset)
      return c.json({ status: 'error', msg: 'The clock does not go that far.' }, 422);
    settings.setClockOffset(offsetMs);
    return c.json(state());
  });

  app.post('/control/availability', async (c) => {
    const change = await readJsonBody(c, v.strictObject({ available: v.boolean() }));
    if (!change.ok) return change.fault;
    settings.setAvailable(change.value.available);
    return c.json(state());
  });

  app.post('/control/config', async (c) => {
    const change = await readJsonBody(c, v.partial(AuthorityConfig));
    if (!change.ok) return change.fault;
    settings.configure(change.value as Partial<AuthorityConfig>);
    return c.json(state());
  });

  app.post('/control/rotate-key', (c) => {
    keys.rotate(clock());
    return c.json(state());
  });

  app.post('/control/faults', async (c) => {
    const fault = await readJsonBody(c, InjectedFault);
    if (!fault.ok) return fault.fault;
    faults.add(fault.value);
    return c.json(state());
  });
  app.delete('/control/faults', (c) => {
    faults.clear();
    return c.json(state());
  });

  app.post('/control/sample', async (c) => {
    const Sample = v.strictObject({ claims: v.record(v.string(), v.unknown()) });
    const body = await readJsonBody(c, Sample);
    if (!body.ok) return body.fault;
    return c.json(ledger.sample(body.value.claims as JsonObject));
  });

  app.post('/control/revoke', async (c) => {
    const Revoke = v.strictObject({
      licenseId: LicenseId,
      reason: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    });
    const body = await readJsonBody(c, Revoke);
    if (!body.ok) return body.fault;
    const revoked = ledger.revoke(body.value.licenseId, body.value.reason, 'control');
    if (revoked === undefined) return c.json({ status: 'error', msg: 'No such license.' }, 404);
    return c.json(revoked);
  });

  app.post('/control/unrevoke', async (c) => {
    const body = await readJsonBody(c, v.strictObject({ licenseId: LicenseId }));
    if (!body.ok) return body.fault;
    return c.json({ undone: ledger.unrevoke(body.value.licenseId) });
  });

  app.get('/control/audit', (c) => {
    const asked = Math.trunc(Number(c.req.query('limit') ?? '200')) || 200;
    const limit = Math.min(Math.max(asked, 1), 10_000);
    return c.json({ entries: ledger.audit.list({ licenseId: c.req.query('licenseId'), limit }) });
  });
  return app;
}

function describeKey(key: AuthorityKey): object {
  return {
    id: key.id,
    fingerprint: fingerprintOf(key.publicKey),
    pem: toPem(key.publicKey),
    createdAt: key.createdAt,
    retiredAt: key.retiredAt ?? null,
  };
}
