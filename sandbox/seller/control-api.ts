import { type Context, Hono } from 'hono';
import * as v from 'valibot';

import { type Base, bases, deployments } from '#sandbox/seller/deployments';
import type { RequestLog, SandboxEnvironment } from '#sandbox/seller/request-log';
import { faultCommand, type PendingFaults } from '#sandbox/seller/faults';
import { parseJson } from '#core/encoding/index';
import { controlOnly, faultOf } from '#sandbox/gate';
import type { AccountId, Moment } from '#sandbox/seed/shape';
import type { SellerStore, StoredPurchase } from '#sandbox/seller/seller-store';

const moment = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.number(),
  v.transform((ms): Moment => ({ from: 'epoch', ms })),
);

/** Adds a purchase or changes an existing one; absent fields do not change. */
const purchaseCommand = v.strictObject({
  base: v.picklist(bases),
  purchase_code: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  item_id: v.optional(v.number()),
  license_type: v.optional(v.string()),
  price: v.optional(v.number()),
  date: v.optional(moment),
  /** ISO 8601; null removes the support. */
  supported_until: v.optional(v.nullable(moment)),
  downloaded: v.optional(v.boolean()),
});

const removalCommand = v.strictObject({ base: v.picklist(bases), purchase_code: v.string() });

/** Creates the control API: faults, the request log and purchases. Every call needs the control token. */
export function createControlApi(parts: {
  readonly token: string;
  readonly faults: PendingFaults;
  readonly log: RequestLog;
  readonly store: SellerStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
}): Hono<SandboxEnvironment> {
  const { token, faults, log, store, now } = parts;
  const control = new Hono<SandboxEnvironment>();

  control.use(controlOnly(token));

  control.get('/faults', (c) => c.json({ status: 'success', faults: faults.list() }));
  control.post('/faults', (c) => {
    const command = v.safeParse(faultCommand, json(c.get('body')));
    if (!command.success) return unreadable(c, command.issues[0]);
    faults.add(command.output);
    return c.json({ status: 'success' }, 201);
  });
  control.delete('/faults', (c) => {
    faults.clear();
    return c.json({ status: 'success' });
  });

  control.get('/requests', (c) => c.json({ status: 'success', requests: log.list() }));
  control.delete('/requests', (c) => {
    const requests = log.list();
    log.clear();
    return c.json({ status: 'success', requests });
  });

  control.post('/purchases', (c) => {
    const command = v.safeParse(purchaseCommand, json(c.get('body')));
    if (!command.success) return unreadable(c, command.issues[0]);
    const account = accountOf(command.output.base);
    const known = store.purchase(account, command.output.purchase_code);
    const purchase = merged(known, command.output, now());
    if (purchase === undefined || store.item(account, purchase.item) === undefined) {
      return c.json({ status: 'error', msg: 'item_id must name an item of this account' }, 422);
    }
    store.savePurchase(account, purchase);
    return c.json({ status: 'success' }, known === undefined ? 201 : 200);
  });
  control.delete('/purchases', (c) => {
    const command = v.safeParse(removalCommand, json(c.get('body')));
    if (!command.success) return unreadable(c, command.issues[0]);
    const { base, purchase_code } = command.output;
    return store.removePurchase(accountOf(base), purchase_code)
      ? c.json({ status: 'success' })
      : c.json({ status: 'error', msg: 'No such purchase' }, 404);
  });
  return control;
}

function merged(
  known: StoredPurchase | undefined,
  command: v.InferOutput<typeof purchaseCommand>,
  now: number,
): StoredPurchase | undefined {
  const item = command.item_id ?? known?.item;
  if (item === undefined) return undefined;
  const until =
    command.supported_until === undefined ? known?.supportedUntil : command.supported_until;
  return {
    code: known?.code ?? command.purchase_code,
    item,
    license: command.license_type ?? known?.license ?? 'Regular',
    price: command.price ?? known?.price ?? 0,
    bought: command.date ?? known?.bought ?? { from: 'epoch', ms: now },
    ...(until ? { supportedUntil: until } : {}),
    downloaded: command.downloaded ?? known?.downloaded ?? false,
  };
}

function accountOf(base: Base): AccountId {
  const deployment = deployments.find((one) => one.base === base);
  if (deployment === undefined) throw new Error(`No deployment at ${base}`);
  return deployment.account;
}

function json(body: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(body));
}

function unreadable(c: Context, issue: v.BaseIssue<unknown>): Response {
  return c.json({ status: 'error', msg: faultOf(issue) }, 422);
}
