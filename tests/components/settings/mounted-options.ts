import OptionsPage from '#components/settings/OptionsPage.vue';
import { succeed } from '#core/result';
import { type ConnectionState, type SecretState, staysProven } from '#core/connections/index';
import { mounting, type PageHarness, type Setting } from '#tests/components/mounted';
import { account, connection, demo, now } from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

const open: SecretState = { mode: 'device', locked: false, lockAfterMinutes: 15 };

/**
 * Mounts the options page over a worker that stores what it is sent.
 * @param at the page or section that its address names
 */
export function options(
  stored: ConnectionState[] = [],
  script: Script = {},
  preferences?: unknown,
  { at = '', ...setting }: Pick<Setting, 'granted' | 'messages' | 'ports'> & { at?: string } = {},
): PageHarness {
  history.replaceState(history.state, '', `#${at}`);
  let connections = stored;
  let secrets = open;
  return mounting(OptionsPage, {
    ...setting,
    preferences,
    script: {
      'authorities.list': () => [],
      'unreadable.list': () => ({ records: [], newer: false }),
      'sites.list': () => [],
      'team.state': () => ({ joined: null, signedIn: false, signIn: null }),
      'team.settings': () => succeed(null),
      'connections.list': () => connections,
      'connections.save': ({ id, apiKey, ...draft }) => {
        const before = connections.find((each) => each.id === id);
        const hasKey = apiKey !== undefined || before?.hasKey === true;
        const dialect = { ...draft.dialect, proven: staysProven(before, draft) };
        const saved = connection({ ...draft, dialect, id: id ?? 'new', hasKey });
        connections = [...connections.filter((each) => each.id !== saved.id), saved];
        return succeed(saved);
      },
      'connections.delete': ({ id }) => {
        connections = connections.filter((each) => each.id !== id);
        return succeed({ undoUntil: now + 10_000 });
      },
      'connections.restore': ({ id }) => {
        connections = stored;
        return succeed(stored.find((each) => each.id === id) ?? demo);
      },
      'connections.reorder': ({ ids }) =>
        succeed(
          (connections = ids.map((id) => connections.find((each) => each.id === id) ?? demo)),
        ),
      'connections.test': () => succeed(account),
      'secrets.state': () => secrets,
      'secrets.set-mode': ({ mode, lockAfterMinutes }) =>
        succeed((secrets = { ...secrets, mode, lockAfterMinutes: lockAfterMinutes ?? 15 })),
      'secrets.lock': () => (secrets = { ...secrets, locked: true }),
      'secrets.unlock': () => succeed((secrets = { ...secrets, locked: false })),
      ...script,
    },
  });
}
