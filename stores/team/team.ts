import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowRef, watch } from 'vue';

import { omitUndefined } from '#core/result';
import type { JoinedTeam } from '#core/team/index';
import type { Body, Reply } from '#messaging/index';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { useSecrets } from '#stores/connections/secrets';
import { oneAtATime, latest } from '#stores/latest';
import { accessPort, askPort, clockPort, usePort } from '#stores/ports';
import { createRelayLookup } from '#stores/team/relay-lookup';
import { createTeamChanges, type TeamProblem } from '#stores/team/team-changes';
import { tabsPort, teamChangesPort } from '#stores/team/ports';
import { fetchTeamSettings } from '#stores/team/team-settings';
import { useSites } from '#stores/ticket/sites';
import { verifierPorts } from '#stores/verifier/index';

type TeamState = Reply<'team.state'>;

/** Joins a team, shows what its settings would change, and leaves it. */
export const useTeam = defineStore('team', () => {
  const ask = usePort(askPort);
  const access = usePort(accessPort);
  const ring = usePort(verifierPorts.keyRing);
  const now = usePort(clockPort);
  const tabs = usePort(tabsPort);
  const connections = useConnections();
  const authorities = useAuthorities();
  const sites = useSites();
  const secrets = useSecrets();

  const state = shallowRef<TeamState>();
  const lookup = createRelayLookup();
  const { typed, tried, address, found } = lookup;
  const changes = createTeamChanges();
  const { difference, revoked } = changes;
  const fault = shallowRef<TeamProblem>();
  /** True if the relay refused the token, whatever became of the attempts to get another. */
  const signInEnded = ref(false);
  const { busy, runIfIdle } = oneAtATime();
  /** The result of the latest change, of another sign-in, or of leaving. */
  const done = ref<'signed-in' | 'applied' | 'left' | 'left-unrevoked'>();
  const loads = latest();

  onScopeDispose(usePort(teamChangesPort)(() => void load()));
  onScopeDispose(
    tabs.watchClosed(() => {
      if (state.value?.signIn?.tabId !== undefined) void load();
    }),
  );
  watch(
    () => secrets.state?.locked,
    (locked, before) => {
      if (before === true && locked === false) void load();
    },
  );

  /** Reads the state; a sign-in whose tab was closed has failed, which the worker does not know. */
  async function readState(): Promise<TeamState> {
    const read = await ask('team.state', {});
    const { relay, tabId } = read.signIn ?? {};
    if (relay === undefined || tabId === undefined || (await tabs.isOpen(tabId))) return read;
    return { ...read, signIn: { relay, fault: { kind: 'not-joined' } } };
  }

  async function load(): Promise<void> {
    const { isLatest } = loads.begin();
    const read = await readState();
    if (!isLatest()) return;
    const before = state.value;
    const wasSigningIn = before?.joined && before.signIn && before.signIn.fault === undefined;
    if (wasSigningIn && read.signIn === null && read.signedIn) done.value = 'signed-in';
    state.value = read;
    // What was offered is in use, so both change in the same frame.
    if (difference.value !== undefined && (read.joined?.version ?? 0) >= difference.value.version) {
      difference.value = undefined;
      done.value = 'applied';
    }
    if (read.joined !== null && read.signIn === null) found.value = undefined;
    fault.value = read.signIn?.fault;
    if (read.joined === null || !read.signedIn) {
      difference.value = undefined;
      return;
    }
    const checked = await fetchTeamSettings(ask, read.joined, now());
    if (!isLatest()) return;
    signInEnded.value = !checked.ok && checked.fault.kind === 'relay-sign-in';
    if (!checked.ok) fault.value ??= checked.fault;
    else if (checked.value !== undefined) {
      const problem = await changes.compare(read.joined, checked.value, isLatest);
      if (problem !== undefined && isLatest()) fault.value = problem;
    }
  }

  async function lookUp(): Promise<boolean> {
    const isFound = await runIfIdle(async () => {
      tried.value = true;
      fault.value = undefined;
      done.value = undefined;
      if (!address.value.ok) return false;
      fault.value = await lookup.lookUp(address.value.value);
      return fault.value === undefined;
    });
    return isFound ?? false;
  }

  /** Opens the join page of the relay that was found and confirmed. */
  async function join(): Promise<void> {
    if (found.value === undefined) return;
    const { relay, invite, info } = found.value;
    const { name, settingsKey } = info;
    await runIfIdle(() => begin(omitUndefined({ relay, name, settingsKey, invite })));
  }

  /** @param asksAccess whether it is a click, without which the browser cannot be asked for access */
  async function signInAgain(asksAccess = true): Promise<void> {
    const joined = state.value?.joined;
    if (!joined) return;
    const { relay, name } = joined;
    await runIfIdle(async () => {
      done.value = undefined;
      if (!asksAccess || (await access(relay))) await begin({ relay, name });
      else fault.value = { kind: 'not-permitted', origin: relay };
    });
  }

  async function begin(request: Body<'team.join'>): Promise<void> {
    const begun = await ask('team.join', request);
    fault.value = begun.ok ? undefined : begun.fault;
    if (begun.ok) await load();
  }

  /** Discards the relay that was found, and a running or failed sign-in there. */
  async function cancel(): Promise<void> {
    found.value = undefined;
    fault.value = undefined;
    if (!state.value?.signIn) return;
    await ask('team.cancel', {});
    await load();
  }

  /** Applies the shown difference. The agent has seen it and the signer's fingerprint. */
  async function apply(): Promise<void> {
    const shown = difference.value;
    if (shown === undefined) return;
    await runIfIdle(async () => {
      const problem = await changes.apply(shown);
      await load();
      if (problem !== undefined) fault.value = problem;
    });
  }

  /** Removes everything that the team added, and revokes the token. */
  async function leave(): Promise<void> {
    const joined = state.value?.joined;
    if (joined) await runIfIdle(() => leaveTeam(joined));
  }

  async function leaveTeam(joined: JoinedTeam): Promise<void> {
    await ring.change((all) => all.filter(({ raw }) => !joined.added.keys.includes(raw)));
    await changes.removeTemplates(joined.added.templates);
    const left = await ask('team.leave', {});
    done.value = left.revoked ? 'left' : 'left-unrevoked';
    revoked.value = [];
    typed.value = '';
    tried.value = false;
    await Promise.all([load(), connections.load(), authorities.load(), sites.load()]);
  }

  return {
    state,
    typed,
    tried,
    address,
    found,
    difference,
    fault,
    signInEnded,
    revoked,
    busy,
    done,
    load,
    lookUp,
    join,
    signInAgain,
    cancel,
    apply,
    leave,
  };
});
