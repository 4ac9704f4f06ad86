import * as v from 'valibot';

import { longestApiKey } from '#core/connections/api-key';
import {
  connectionBounds,
  connectionIdSchema,
  connectionNameSchema,
  dialectSchema,
} from '#core/connections/connection-schema';
import { siteOriginSchema } from '#core/ticket/site-schema';
import { authorityBounds, authorityIdSchema } from '#core/authority/authority';
import {
  authorityCallSchema,
  authorityDraftSchema,
  claimsSchema,
  controlCommandSchema,
} from '#messaging/authority-messages';
import type { Body, TopicName } from '#messaging/protocol';

/** Pages of ours that may speak to the worker, by the path they are built to. */
export const pages = {
  popup: '/popup.html',
  sidepanel: '/sidepanel.html',
  options: '/options.html',
  desk: '/desk.html',
  verifier: '/verifier.html',
} as const;

export type PageName = keyof typeof pages;

/** Who may speak: a page of ours, or our script in a web page, which is believed far less. */
export type AskerName = PageName | 'ticket-script';

/** Longest texts in a message, in UTF-16 units; a page can hold its fields to the same. */
export const bounds = {
  ...connectionBounds,
  code: 128,
  apiKey: longestApiKey,
  passphrase: 1024,
  lockAfterMinutes: 1440,
  /** Of a settings file, as JSON. */
  settingsFile: 262_144,
  ticket: 2048,
} as const;

interface Rule<T extends TopicName> {
  readonly from: readonly AskerName[];
  readonly body: v.GenericSchema<unknown, Body<T>>;
}

const nothing = v.record(v.string(), v.never());
const id = connectionIdSchema;
const text = (longest: number): v.GenericSchema<unknown, string> =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(longest));
const code = text(bounds.code);
const passphrase = text(bounds.passphrase);
const checking = ['popup', 'sidepanel', 'options', 'desk'] as const;
const settling = ['options'] as const;
const desk = ['desk'] as const;
const jobId = v.pipe(v.string(), v.uuid());
/** What stands beside a ticket, and where its settings are. */
const beside = ['popup', 'sidepanel', 'options'] as const;

/** Who may ask each topic, and what its body must look like, exactly. A topic without a rule does not compile. */
export const rules: { readonly [T in TopicName]: Rule<T> } = {
  check: {
    from: checking,
    body: v.strictObject({
      code,
      connectionId: id,
      fresh: v.boolean(),
      ticket: v.exactOptional(text(bounds.ticket)),
    }),
  },

  'connections.list': { from: [...checking, 'verifier'], body: nothing },
  'connections.save': {
    from: settling,
    body: v.strictObject({
      id: v.exactOptional(id),
      name: connectionNameSchema,
      baseAddress: text(bounds.baseAddress),
      apiKey: v.exactOptional(text(bounds.apiKey)),
      dialect: dialectSchema,
    }),
  },
  'connections.delete': { from: settling, body: v.strictObject({ id }) },
  'connections.restore': { from: settling, body: v.strictObject({ id }) },
  'connections.reorder': {
    from: settling,
    body: v.strictObject({ ids: v.pipe(v.array(id), v.maxLength(bounds.connections)) }),
  },
  'connections.test': { from: [...settling, 'desk'], body: v.strictObject({ id }) },
  'connections.detect': { from: settling, body: v.strictObject({ id, code }) },
  // One click in the popup cures a connection whose server turns browsers away.
  'connections.plain-user-agent': {
    from: checking,
    body: v.strictObject({ id, on: v.boolean() }),
  },

  'items.all': { from: desk, body: v.strictObject({ connectionId: id }) },
  'items.item': {
    from: desk,
    body: v.strictObject({
      connectionId: id,
      itemId: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    }),
  },

  'bulk.drive': { from: desk, body: nothing },
  'bulk.set': {
    from: desk,
    body: v.strictObject({ jobId, to: v.picklist(['running', 'paused', 'cancelled']) }),
  },
  'bulk.retry': { from: desk, body: v.strictObject({ jobId }) },
  'bulk.skip': { from: desk, body: v.strictObject({ jobId, connectionId: id }) },
  'bulk.remove': { from: desk, body: v.strictObject({ jobId }) },

  'sites.list': { from: beside, body: nothing },
  'sites.allow': { from: beside, body: v.strictObject({ origin: siteOriginSchema }) },
  'sites.remove': { from: beside, body: v.strictObject({ origin: siteOriginSchema }) },
  'sites.set-automatic': {
    from: beside,
    body: v.strictObject({ origin: siteOriginSchema, on: v.boolean() }),
  },

  // Where they stand in a web page: all that the script there may ask, and nobody else.
  'ticket.start': { from: ['ticket-script'], body: nothing },
  'ticket.open': { from: ['ticket-script'], body: v.strictObject({ code }) },
  'ticket.check': { from: ['ticket-script'], body: v.strictObject({ code }) },

  'authorities.list': { from: [...settling, 'verifier'], body: nothing },
  'authorities.save': { from: settling, body: authorityDraftSchema },
  'authorities.set-control': {
    from: [...settling, 'verifier'],
    body: v.strictObject({ id: authorityIdSchema, token: text(authorityBounds.controlToken) }),
  },
  'authorities.delete': { from: settling, body: v.strictObject({ id: authorityIdSchema }) },
  'authorities.restore': { from: settling, body: v.strictObject({ id: authorityIdSchema }) },
  // A license travels to the worker for these calls alone.
  'authority.validate': { from: ['verifier'], body: authorityCallSchema },
  'rehearsal.activate': { from: ['verifier'], body: authorityCallSchema },
  'rehearsal.validate': { from: ['verifier'], body: authorityCallSchema },
  'rehearsal.control': {
    from: ['verifier'],
    body: v.strictObject({ authorityId: authorityIdSchema, command: controlCommandSchema }),
  },
  'rehearsal.sample': {
    from: ['verifier'],
    body: v.strictObject({ authorityId: authorityIdSchema, claims: claimsSchema }),
  },

  'secrets.state': { from: checking, body: nothing },
  'secrets.set-mode': {
    from: settling,
    body: v.strictObject({
      mode: v.picklist(['device', 'passphrase', 'session']),
      passphrase: v.exactOptional(passphrase),
      newPassphrase: v.exactOptional(passphrase),
      lockAfterMinutes: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(bounds.lockAfterMinutes)),
      ),
    }),
  },
  'secrets.unlock': { from: checking, body: v.strictObject({ passphrase }) },
  'secrets.lock': { from: checking, body: nothing },
  'secrets.reset': { from: settling, body: nothing },

  'settings.export': { from: settling, body: nothing },
  'settings.import': {
    from: settling,
    body: v.strictObject({
      file: v.pipe(
        v.unknown(),
        v.check((file) => jsonLength(file) <= bounds.settingsFile),
      ),
    }),
  },
};

/** Firefox clones messages, so what arrives may be no JSON at all: that counts as endless. */
function jsonLength(value: unknown): number {
  try {
    return JSON.stringify([value]).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
