import type { ESLint, Rule } from 'eslint';

/**
 * The files outside `adapters/` that may catch, each with the call that throws instead of returning a result.
 * `try … finally` without a catch is allowed everywhere.
 */
export const mayCatch: Readonly<Record<string, string>> = {
  'core/tables/character-encoding.ts': 'TextDecoder throws on bytes of another encoding.',
  'core/keys/ed25519.ts': 'The curve library throws on bytes that are no point.',
  'core/encoding/json.ts': 'JSON.parse throws on text that is no JSON.',
  'entrypoints/ticket/index.ts': 'A message to a stopped worker or a removed extension rejects.',
  'messaging/topic.ts': 'JSON.stringify throws on a cyclic value.',
  'relay/admin/admin.ts': 'The database throws on what the role may not do.',
  'relay/admin/doctor.ts': 'What is broken may throw anything, and becomes a finding.',
  'relay/http/messages.ts': 'A stream throws when the client has gone before its end.',
  'relay/join/openid.ts': 'The OpenID library throws on whatever the provider refuses.',
  'relay/keys/vault.ts': 'A cipher throws on text that was changed or sealed under another key.',
  'relay/machine/disk-reserve.ts': 'Without room, what was written of the reserve is removed.',
  'relay/machine/serving-lock.ts': 'SQLite throws where another process holds the lock.',
  'relay/main.ts': 'Settings, keys and the database may be unusable, which ends in a sentence.',
  'relay/observe/line-buffer.ts': 'Writing throws when nobody reads, or the disk is full.',
  'relay/signing/signing.ts': 'OpenSSL throws on text that is no key.',
  'relay/admin/operator.ts': 'An account without a name, as in a container, has no user info.',
  'relay/store/move-database.ts': 'Both databases are closed, whatever came of the move.',
  'relay/store/postgres.ts':
    'PostgreSQL throws where others have changed a row, or wait for this work.',
  'relay/store/serving-store.ts': 'Node throws on a reply that HTTP cannot send.',
  'relay/store/sqlite.ts': 'SQLite throws; what fails is undone and rejects.',
  'relay/upstream/send.ts': 'A stream throws when its connection breaks.',
  'stores/bulk/bulk-input.ts': 'A file may be deleted or changed while its stream is read.',
  'stores/verifier/key-drafts.ts': 'The verify worker may be lost; JSON.parse throws.',
};

const onlyAdapters: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      noCatch: 'Expected outcomes are a Result; only adapters catch (exceptions: mayCatch).',
    },
  },
  create: (context) => ({
    CatchClause: (node) => {
      context.report({ node, messageId: 'noCatch' });
    },
  }),
};

/** Provides the rule `catches/only-adapters`, for oxlint and for ESLint. */
export default {
  meta: { name: 'catches' },
  rules: { 'only-adapters': onlyAdapters },
} satisfies ESLint.Plugin;
