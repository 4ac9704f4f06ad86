import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';

import { putKey } from '#core/key-ring/ring';
import { fingerprintOf, type PinnedKey } from '#core/keys/index';
import { bytesOfHex } from '#core/encoding/index';
import { fail, type Result, omitUndefined } from '#core/result';
import {
  isSameTemplate,
  namesTemplate,
  templateKey,
  withTemplates,
} from '#core/reply-templates/template-list';
import { parseRelayAddress, type RelayAddress, type RelayInfo } from '#core/team/relay';
import type { JoinedTeam, TeamFault } from '#core/team/team';
import { type TeamSettingsFault, withoutPrivacy } from '#core/team/team-settings';
import type { Refusal, Reply } from '#messaging/index';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { useSecrets } from '#stores/connections/secrets';
import { oneAtATime, latest } from '#stores/latest';
import { accessPort, askPort, clockPort, usePort } from '#stores/ports';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { type ImportPreview, useSettingsFile } from '#stores/settings/settings-file';
import { relayInfoPort, teamChangesPort } from '#stores/team/ports';
import {
  fetchTeamSettings,
  revokeTeamKeys,
  validKeys,
  type VerifiedSettings,
} from '#stores/team/team-settings';
import { useSites } from '#stores/ticket/sites';
import { verifierPorts } from '#stores/verifier/index';
import { findRemoved, type RemovedEntries } from '#core/import-settings';

type ImportFault = Refusal<'settings.import'>;
type TeamState = Reply<'team.state'>;

/** Describes a relay that was found at an address, to be compared before it is joined. */
export interface FoundRelay extends RelayAddress {
  readonly info: RelayInfo;
  /** The fingerprint of the key that signs the team's settings. */
  readonly fingerprint?: string;
}

/** Tells what newer settings of the team would change. */
export interface TeamDifference extends RemovedEntries {
  readonly version: number;
  readonly preview: ImportPreview;
  /** The signer's fingerprint, where the agent has not confirmed it yet. */
  readonly fingerprint?: string;
  readonly settingsKey: string;
  readonly revokedKeys: readonly string[];
}

export type TeamProblem = TeamFault | TeamSettingsFault | ImportFault;

/** Joins a team, shows what its settings would change, and leaves it. */
export const useTeam = defineStore('team', () => {
  const ask = usePort(askPort);
  const access = usePort(accessPort);
  const relayInfo = usePort(relayInfoPort);
  const ring = usePort(verifierPorts.keyRing);
  const verify = usePort(verifierPorts.verify);
  const now = usePort(clockPort);
  const settingsFile = useSettingsFile();
  const connections = useConnections();
  const authorities = useAuthorities();
  const sites = useSites();
  const replies = useReplyTemplateSettings();
  const secrets = useSecrets();

  const state = shallowRef<TeamState>();
  const typed = ref('');
  const tried = ref(false);
  const address = computed(() => parseRelayAddress(typed.value));
  const found = shallowRef<FoundRelay>();
  const difference = shallowRef<TeamDifference>();
  const fault = shallowRef<TeamProblem>();
  /** Names of pinned keys that the team has just revoked. */
  const revoked = shallowRef<readonly string[]>([]);
  const { busy, runIfIdle } = oneAtATime();
  /** The result of the latest change, or of leaving. */
  const done = ref<'applied' | 'left' | 'left-unrevoked'>();
  const loads = latest();

  onScopeDispose(usePort(teamChangesPort)(() => void load()));
  watch(
    () => secrets.state?.locked,
    (locked, before) => {
      if (before === true && locked === false) void load();
    },
  );

  /** Reads the state, and the team's settings where one is joined. */
  async function load(): Promise<void> {
    const { isLatest } = loads.begin();
    const read = await ask('team.state', {});
    if (!isLatest()) return;
    state.value = read;
    if (read.joined !== null && read.signIn === null) found.value = undefined;
    fault.value = read.signIn?.fault;
    if (read.joined === null || !read.signedIn) {
      difference.value = undefined;
      return;
    }
    const checked = await fetchTeamSettings(ask, read.joined, now());
    if (!isLatest()) return;
    if (!checked.ok) fault.value ??= checked.fault;
    else if (checked.value !== undefined) await compare(read.joined, checked.value, isLatest);
  }

  async function compare(
    joined: JoinedTeam,
    settings: VerifiedSettings,
    isLatest: () => boolean,
  ): Promise<void> {
    if (joined.settingsKey !== undefined) {
      const names = await revokeTeamKeys(ring, settings.revokedKeys);
      if (names.length > 0) revoked.value = names;
    }
    if (settings.version <= joined.version) {
      difference.value = undefined;
      return;
    }
    const file = withoutPrivacy(settings.settings);
    await Promise.all([connections.load(), authorities.load(), sites.load(), replies.ready]);
    const preview = await settingsFile.previewOf(file);
    const pinned = await ring.read();
    if (!isLatest()) return;
    if (!preview.ok) {
      fault.value = preview.fault;
      return;
    }
    const removed = findRemoved(joined.brought, file, {
      connections: connections.list ?? [],
      authorities: authorities.list ?? [],
      sites: sites.list ?? [],
      keys: pinned,
      templates: replies.settings.templates ?? [],
    });
    difference.value = {
      version: settings.version,
      preview: preview.value,
      ...removed,
      settingsKey: settings.signedBy,
      revokedKeys: settings.revokedKeys,
      ...(joined.settingsKey === undefined && { fingerprint: fingerprintOfHex(settings.signedBy) }),
    };
  }

  /** Asks the browser for access in the task of the click, then asks the relay to identify itself. */
  async function lookUp(): Promise<boolean> {
    const isFound = await runIfIdle(async () => {
      tried.value = true;
      fault.value = undefined;
      done.value = undefined;
      if (!address.value.ok) return false;
      const at = address.value.value;
      const problem = (await access(at.relay))
        ? await findRelay(at)
        : ({ kind: 'not-permitted', origin: at.relay } as const);
      fault.value = problem;
      return problem === undefined;
    });
    return isFound ?? false;
  }

  async function findRelay(at: RelayAddress): Promise<TeamFault | undefined> {
    const info = await relayInfo(at.relay);
    if (!info.ok) return info.fault;
    const { settingsKey } = info.value;
    found.value = omitUndefined({
      ...at,
      info: info.value,
      fingerprint: settingsKey && fingerprintOfHex(settingsKey),
    });
    return undefined;
  }

  /** Opens the join page of the relay that was found and compared. */
  async function join(): Promise<void> {
    const relay = found.value;
    if (relay === undefined) return;
    const { name, settingsKey } = relay.info;
    await runIfIdle(() =>
      begin(
        omitUndefined({
          relay: relay.relay,
          name,
          settingsKey,
          invite: relay.invite,
        }),
      ),
    );
  }

  async function signInAgain(): Promise<void> {
    const joined = state.value?.joined;
    if (!joined) return;
    const { relay, name } = joined;
    await runIfIdle(async () => {
      if (await access(relay)) await begin({ relay, name });
      else fault.value = { kind: 'not-permitted', origin: relay };
    });
  }

  async function begin(request: Parameters<typeof ask<'team.join'>>[1]): Promise<void> {
    const begun = await ask('team.join', request);
    fault.value = begun.ok ? undefined : begun.fault;
    if (begun.ok) await load();
  }

  /** Drops the relay that was found, with a sign-in there that is under way or failed. */
  async function cancel(): Promise<void> {
    found.value = undefined;
    fault.value = undefined;
    if (!state.value?.signIn) return;
    await ask('team.cancel', {});
    await load();
  }

  /** Applies the difference that is shown. The agent has seen it, and the signer's fingerprint. */
  async function apply(): Promise<void> {
    const shown = difference.value;
    if (shown !== undefined) await runIfIdle(() => applyShown(shown));
  }

  async function applyShown(shown: TeamDifference): Promise<void> {
    const { preview, version, settingsKey, removes, revokedKeys } = shown;
    const pinned = await ring.read();
    const keys = await validKeys(verify, preview.keys);
    const own = replies.settings.templates ?? [];
    const applied = await ask('team.apply', {
      file: preview.file,
      settingsKey,
      removes,
      adds: {
        keys: keys.flatMap(({ raw }) => (pinned.some((one) => one.raw === raw) ? [] : [raw])),
        templates: (preview.file.templates?.templates ?? []).flatMap((one) =>
          own.some((other) => isSameTemplate(one, other)) ? [] : [templateKey(one)],
        ),
      },
    });
    let problem: TeamProblem | undefined = applied.ok ? undefined : applied.fault;
    if (applied.ok) {
      const stored = await ring.change((all) =>
        keys
          .reduce<readonly PinnedKey[]>((put, key) => putKey(put, key), all)
          .filter(({ raw }) => !removes.keys.includes(raw)),
      );
      await revokeTeamKeys(ring, revokedKeys);
      await settingsFile.reload();
      const removed = await removeTemplates(removes.templates);
      const finished: Result<null, TeamFault> =
        stored.ok && removed
          ? await ask('team.finish', { version, settingsKey, removes })
          : fail({ kind: 'storage-full' });
      if (finished.ok) done.value = 'applied';
      else problem = finished.fault;
    }
    await load();
    if (problem !== undefined) fault.value = problem;
  }

  /** Returns whether they are removed from what is stored. */
  async function removeTemplates(names: readonly string[]): Promise<boolean> {
    if (names.length === 0) return true;
    await replies.change((present) =>
      withTemplates(present, (all) => all.filter((one) => !namesTemplate(names, one))),
    );
    return replies.unsaved === undefined;
  }

  /** Removes all that the team brought, and has the token revoked. */
  async function leave(): Promise<void> {
    const joined = state.value?.joined;
    if (joined) await runIfIdle(() => leaveTeam(joined));
  }

  async function leaveTeam(joined: JoinedTeam): Promise<void> {
    await ring.change((all) => all.filter(({ raw }) => !joined.brought.keys.includes(raw)));
    await removeTemplates(joined.brought.templates);
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

function fingerprintOfHex(key: string): string {
  return fingerprintOf(bytesOfHex(key) ?? new Uint8Array());
}
