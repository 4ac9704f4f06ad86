import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import TeamSection from '#components/team/TeamSection.vue';
import { fail, type Result, succeed } from '#core/result';
import type { RelayInfo, JoinedTeam, TeamFault } from '#core/team/index';
import messages from '#locales/en/team.json';
import type { TeamState } from '#messaging/topics/team';
import { useSecrets } from '#stores/connections/secrets';
import { relayInfoPort, tabsPort } from '#stores/team/ports';
import { useTeam } from '#stores/team/team';
import type { TeamDifference } from '#stores/team/team-changes';
import { mounting, type PageHarness } from '#tests/components/mounted';
import type { Script } from '#tests/stores/scripted-worker';
import { noEntries } from '#core/settings-import/index';

const relay = 'https://relay.test';
const key = 'ab'.repeat(32);
const joined: JoinedTeam = {
  id: 'team',
  relay,
  name: 'Fenwick',
  email: 'ada@fenwick.test',
  settingsKey: key,
  version: 1,
  added: noEntries,
};
const none = { added: [], changed: [] };
const difference: TeamDifference = {
  version: 2,
  preview: {
    file: {
      format: 'counterfoil-settings',
      version: 2,
      connections: [],
      authorities: [],
      sites: [],
      keys: [],
    },
    lists: { connections: none, authorities: none, sites: none, headersKept: 0, kindsKept: 0 },
    keys: [],
    templates: undefined,
    privacy: [],
  },
  removes: noEntries,
  removed: noEntries,
  settingsKey: key,
  revokedKeys: [],
};
const noTeam: TeamState = { joined: null, signedIn: false, signIn: null };
const member: TeamState = { joined, signedIn: true, signIn: null };

let state: TeamState;
/** Closes the tab with this id. */
let closeTab: (id: number) => void;
let harness: PageHarness;

/** Mounts the section over a worker that remembers whether a team is joined. */
function section(
  first: TeamState,
  script: Script = {},
  info: () => Promise<Result<RelayInfo, TeamFault>> = () =>
    Promise.resolve(succeed({ name: 'Fenwick', settingsKey: key })),
): void {
  state = first;
  harness = mounting(TeamSection, {
    messages,
    script: {
      'team.state': () => state,
      'team.settings': () => succeed(null),
      'team.join': ({ relay: at }) => {
        state = { ...noTeam, signIn: { relay: at } };
        return succeed(null);
      },
      'team.leave': () => {
        state = noTeam;
        return { revoked: true };
      },
      'team.cancel': () => {
        state = { ...state, signIn: null };
        return null;
      },
      'connections.list': () => [],
      'authorities.list': () => [],
      'sites.list': () => [],
      ...script,
    },
    ports: (app) => {
      const closed = new Set<number>();
      app.provide(relayInfoPort, info).provide(tabsPort, {
        isOpen: (id) => Promise.resolve(!closed.has(id)),
        watchClosed(changed) {
          closeTab = (id) => {
            closed.add(id);
            changed();
          };
          return () => undefined;
        },
      });
    },
  });
}

const address = page.getByRole('textbox', { name: 'Relay address or invite link' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const title = (name: string) => page.getByRole('heading', { name });

/** Presses Tab until this has the focus; nothing else may take it for good. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 10; presses += 1) {
    await userEvent.keyboard('{Tab}');
    if (document.activeElement?.textContent.trim() === name) return;
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}

beforeEach(async () => {
  await page.viewport(1024, 900);
});

describe('by keyboard', () => {
  test('an address that is none keeps the focus, and one that is a relay’s leads to what was found', async () => {
    section(noTeam);
    await address.fill('relay test');
    await userEvent.keyboard('{Enter}');
    await expect.element(address).toHaveAttribute('aria-invalid', 'true');
    await expect.element(address).toHaveFocus();
    await address.fill(relay);
    await userEvent.keyboard('{Enter}');
    await expect.element(title('Is this your team?')).toHaveFocus();
    await tabTo('Join this team');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => harness.bodies('team.join')).toHaveLength(1);
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
  });

  test('who changes their mind is back at the address', async () => {
    section(noTeam);
    await address.fill(relay);
    await userEvent.keyboard('{Enter}');
    await expect.element(title('Is this your team?')).toHaveFocus();
    await tabTo('Cancel');
    await userEvent.keyboard('{Enter}');
    await expect.element(address).toHaveFocus();
  });

  test('a button that asks the relay keeps the focus while it waits, and asks once', async () => {
    let answer: (info: Result<RelayInfo, TeamFault>) => void = () => undefined;
    const waiting = new Promise<Result<RelayInfo, TeamFault>>((resolve) => (answer = resolve));
    section(noTeam, {}, () => waiting);
    await address.fill(relay);
    await tabTo('Look it up');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Asking…')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    answer(fail({ kind: 'unreachable' }));
    await expect.element(page.getByText('The relay could not be reached.')).toBeVisible();
    await expect.element(button('Look it up')).toHaveFocus();
    expect(harness.events.filter((event) => event.startsWith('access'))).toHaveLength(1);
  });

  test('who cancels a sign-in that is under way, or has failed, hears no more of it', async () => {
    section(noTeam);
    await address.fill(relay);
    await userEvent.keyboard('{Enter}');
    await expect.element(title('Is this your team?')).toHaveFocus();
    await tabTo('Join this team');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
    await tabTo('Cancel');
    await userEvent.keyboard('{Enter}');
    await expect.element(address).toHaveFocus();
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).not.toBeInTheDocument();
    expect(state.signIn).toBeNull();
    expect(harness.bodies('team.leave')).toHaveLength(0);
  });

  test('a relay that could not be reached is asked again by a button, which keeps the focus or leads on', async () => {
    let isUp = false;
    section(member, {
      'team.settings': () => (isUp ? succeed(null) : fail({ kind: 'unreachable' })),
    });
    await expect.element(page.getByText('The relay could not be reached.')).toBeVisible();
    await tabTo('Try again');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => harness.bodies('team.settings')).toHaveLength(2);
    isUp = true;
    await button('Try again').click();
    await expect.element(page.getByText('The relay could not be reached.')).not.toBeInTheDocument();
    await expect.element(title('You have joined Fenwick')).toHaveFocus();
  });

  test('settings that are being applied are applied once, and their button keeps the focus meanwhile', async () => {
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (answer = resolve));
    section(member, {
      'team.apply': async () => {
        await waiting;
        return fail({ kind: 'storage-full' });
      },
    });
    await expect.element(title('You have joined Fenwick')).toBeVisible();
    useTeam().difference = difference;
    await button('Use these settings').click();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Use these settings')).toHaveFocus();
    expect(harness.bodies('team.apply')).toHaveLength(1);
    answer();
  });

  test('settings that are in use now are never shown beside the question whether to use them', async () => {
    section(member, {
      'team.apply': () =>
        succeed({
          connections: none,
          authorities: none,
          sites: none,
          headersKept: 0,
          kindsKept: 0,
          notStored: [],
        }),
      'team.finish': () => {
        state = { ...member, joined: { ...joined, version: 2 } };
        return succeed(null);
      },
    });
    await expect.element(title('You have joined Fenwick')).toBeVisible();
    useTeam().difference = difference;
    await expect.element(button('Use these settings')).toBeVisible();
    const applied = page.getByText('The team’s settings are in use.');
    const inUse = page.getByText('Settings in use: version 2');
    const seen: string[] = [];
    const observer = new MutationObserver(() => {
      const shown = [button('Use these settings'), inUse, applied].map((each) => each.query());
      seen.push(shown.map((each) => (each === null ? '-' : 'x')).join(''));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    await button('Use these settings').click();
    await expect.element(applied).toBeVisible();
    observer.disconnect();
    expect([...new Set(seen)].filter((each) => each !== 'x--')).toEqual(['-xx']);
  });

  test('settings say which keys they revoke, apart from those that they bring', async () => {
    section(member);
    await expect.element(title('You have joined Fenwick')).toBeVisible();
    const pinned = { raw: key, fingerprint: key, kind: 'live' } as const;
    const keys = [
      { ...pinned, id: 'a', label: 'Licenses 2025', revoked: true },
      { ...pinned, id: 'b', label: 'Licenses 2026', revoked: false },
    ];
    useTeam().difference = { ...difference, preview: { ...difference.preview, keys } };
    await expect
      .element(page.getByText('1 new: Licenses 2026; 1 revoked: Licenses 2025'))
      .toBeVisible();
  });

  test('a sign-in that waits for the keys leads to the field for the passphrase', async () => {
    section({ ...noTeam, signIn: { relay, fault: { kind: 'unlock-to-join' } } });
    const keys = document.createElement('div');
    keys.id = 'key-storage';
    keys.innerHTML = '<input type="password">';
    document.body.append(keys);
    await expect.element(page.getByText(/within a minute/u)).toHaveAttribute('data-tone', 'warn');
    await page.getByRole('link', { name: 'Key storage' }).click();
    expect(document.activeElement).toBe(keys.firstElementChild);
  });

  test('without that field the link leads to the section, and the team is asked again once the keys are unlocked', async () => {
    let locked = true;
    section(member, {
      'team.settings': () => (locked ? fail({ kind: 'locked' }) : succeed(null)),
      'secrets.state': () => ({ mode: 'passphrase', locked, lockAfterMinutes: 5 }),
    });
    const secrets = useSecrets();
    await secrets.load();
    await page.getByRole('link', { name: 'Key storage' }).click();
    expect(location.hash).toBe('#key-storage');
    locked = false;
    await secrets.load();
    await expect.element(page.getByRole('link', { name: 'Key storage' })).not.toBeInTheDocument();
    history.replaceState(null, '', location.pathname + location.search);
  });

  test('leaving asks first; Escape leads back to the button, and who has left is at the address', async () => {
    section(member);
    await expect.element(button('Leave the team…')).toBeVisible();
    await tabTo('Leave the team…');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Leave now')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Leave the team…')).toHaveFocus();
    expect(harness.bodies('team.leave')).toHaveLength(0);
    await userEvent.keyboard('{Enter}');
    await tabTo('Leave now');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('status')).toHaveTextContent('You have left the team.');
    await expect.element(address).toHaveFocus();
  });
});

describe('another sign-in', () => {
  const ended: Script = {
    'team.settings': () => fail({ kind: 'relay-sign-in', reason: 'revoked' }),
    'team.join': () => {
      state = { ...member, signIn: { relay, tabId: 7 } };
      return succeed(null);
    },
  };

  test('begins without another press where a message elsewhere leads here', async () => {
    history.replaceState(null, '', '#sign-in');
    section(member, ended);
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
    expect(harness.bodies('team.join')).toEqual([{ relay, name: 'Fenwick' }]);
    // Only a click lets the browser ask for access, and a reload begins nothing.
    expect(harness.events.filter((event) => event.startsWith('access'))).toEqual([]);
    expect(location.hash).toBe('#team');
    location.hash = 'sign-in';
    await expect.poll(() => harness.bodies('team.join')).toHaveLength(2);
    history.replaceState(null, '', '#');
  });

  test('that cannot begin by itself has its button focused', async () => {
    history.replaceState(null, '', '#sign-in');
    section(member, {
      ...ended,
      'team.join': () => fail({ kind: 'not-permitted', origin: relay }),
    });
    await expect.element(page.getByText(/was not allowed to reach/u)).toBeVisible();
    await expect.element(button('Sign in again')).toHaveFocus();
    history.replaceState(null, '', '#');
  });

  test('that is under way is the only thing said, until its tab is closed', async () => {
    section(member, ended);
    const isEnded = page.getByText(/has ended your sign-in/u);
    await expect.element(isEnded).toBeVisible();
    await button('Sign in again').click();
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
    await expect.element(isEnded).not.toBeInTheDocument();
    closeTab(8);
    await useTeam().load();
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
    closeTab(7);
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).not.toBeInTheDocument();
    await expect.element(page.getByText(/^You are not signed in at your team/u)).toBeVisible();
    await expect.element(button('Sign in again')).toBeVisible();
    await expect.element(page.getByText('You are signed in again.')).not.toBeInTheDocument();
  });

  test('that was given up can be begun again', async () => {
    section({ ...member, signIn: { relay, fault: { kind: 'not-joined' } } }, ended);
    await expect.element(page.getByText(/^You are not signed in at your team/u)).toBeVisible();
    await button('Sign in again').click();
    await expect.poll(() => harness.bodies('team.join')).toHaveLength(1);
  });
});

test('what the settings in use have brought is counted, and each count leads to it', async () => {
  const added = { ...noEntries, connections: ['shop'], templates: ['a', 'b'] };
  section({ ...member, joined: { ...joined, added } });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await expect.element(link('Connections: 1')).toHaveAttribute('href', '#connections');
  await expect.element(link('Reply templates: 2')).toHaveAttribute('href', 'desk.html#/reply');
  expect(document.querySelectorAll('[data-team] a')).toHaveLength(2);
});

describe('the focus', () => {
  test('is at the button to sign in again if a message elsewhere has led here, and at the team afterwards', async () => {
    history.replaceState(null, '', '#team');
    section({ ...member, signedIn: false });
    await expect.element(button('Sign in again')).toHaveFocus();
    state = { ...member, signedIn: false, signIn: { relay } };
    await useTeam().load();
    state = member;
    await useTeam().load();
    await expect.element(page.getByText('You are signed in again.')).toBeVisible();
    await expect.element(title('You have joined Fenwick')).toHaveFocus();
    history.replaceState(null, '', '#');
  });

  test('is at the team once it is joined', async () => {
    section(noTeam);
    await address.fill(relay);
    await userEvent.keyboard('{Enter}');
    await tabTo('Join this team');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/^Sign in at .*relay\.test/u)).toBeVisible();
    state = member;
    await useTeam().load();
    await expect.element(title('You have joined Fenwick')).toHaveFocus();
    await expect.element(page.getByText('You are signed in again.')).not.toBeInTheDocument();
  });
});
