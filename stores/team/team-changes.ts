import { type ShallowRef, shallowRef } from 'vue';

import {
  findRemoved,
  type JoinedTeam,
  type RemovedEntries,
  type TeamFault,
  type TeamSettingsFault,
  withoutPrivacy,
} from '#core/team/index';
import { putKey } from '#core/key-ring/index';
import type { PinnedKey } from '#core/keys/index';
import {
  isSameTemplate,
  namesTemplate,
  templateKey,
  withTemplates,
} from '#core/reply-templates/index';
import type { Refusal } from '#messaging/index';
import { useAuthorities } from '#stores/authority/authorities';
import { useConnections } from '#stores/connections/connections';
import { askPort, usePort } from '#stores/ports';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { type ImportPreview, useSettingsFile } from '#stores/settings/settings-file';
import { fingerprintOfHex } from '#stores/team/relay-lookup';
import { revokeTeamKeys, validKeys, type VerifiedSettings } from '#stores/team/team-settings';
import { useSites } from '#stores/ticket/sites';
import { verifierPorts } from '#stores/verifier/index';

type ImportFault = Refusal<'settings.import'>;

export type TeamProblem = TeamFault | TeamSettingsFault | ImportFault;

/** The changes that newer team settings would make. */
export interface TeamDifference extends RemovedEntries {
  readonly version: number;
  readonly preview: ImportPreview;
  /** The signer's fingerprint, if the agent has not confirmed it yet. */
  readonly fingerprint?: string;
  readonly settingsKey: string;
  readonly revokedKeys: readonly string[];
}

/** Compares newer team settings with the present ones, and applies them. */
export interface TeamChanges {
  readonly difference: ShallowRef<TeamDifference | undefined>;
  /** Names of pinned keys that the team has just revoked. */
  readonly revoked: ShallowRef<readonly string[]>;
  /** Revokes the keys that the team has revoked, and shows what else would change; returns why that is unknown. */
  readonly compare: (
    joined: JoinedTeam,
    settings: VerifiedSettings,
    isLatest: () => boolean,
  ) => Promise<TeamProblem | undefined>;
  /** Applies a difference; returns why it was not completely stored. */
  readonly apply: (shown: TeamDifference) => Promise<TeamProblem | undefined>;
  /** Removes templates; returns whether that was stored. */
  readonly removeTemplates: (names: readonly string[]) => Promise<boolean>;
}

/** Call it in a store's setup. */
export function createTeamChanges(): TeamChanges {
  const ask = usePort(askPort);
  const ring = usePort(verifierPorts.keyRing);
  const verify = usePort(verifierPorts.verify);
  const settingsFile = useSettingsFile();
  const connections = useConnections();
  const authorities = useAuthorities();
  const sites = useSites();
  const replies = useReplyTemplateSettings();
  const difference = shallowRef<TeamDifference>();
  const revoked = shallowRef<readonly string[]>([]);

  async function compare(
    joined: JoinedTeam,
    settings: VerifiedSettings,
    isLatest: () => boolean,
  ): Promise<TeamProblem | undefined> {
    if (joined.settingsKey !== undefined) {
      const names = await revokeTeamKeys(ring, settings.revokedKeys);
      if (names.length > 0) revoked.value = names;
    }
    if (settings.version <= joined.version) {
      difference.value = undefined;
      return undefined;
    }
    const file = withoutPrivacy(settings.settings);
    await Promise.all([connections.load(), authorities.load(), sites.load(), replies.ready]);
    const preview = await settingsFile.previewOf(file);
    const pinned = await ring.read();
    if (!isLatest()) return undefined;
    if (!preview.ok) return preview.fault;
    const removed = findRemoved(joined.added, file, {
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
    return undefined;
  }

  async function apply(shown: TeamDifference): Promise<TeamProblem | undefined> {
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
    if (!applied.ok) return applied.fault;
    const stored = await ring.change((all) =>
      keys
        .reduce<readonly PinnedKey[]>((put, key) => putKey(put, key), all)
        .filter(({ raw }) => !removes.keys.includes(raw)),
    );
    await revokeTeamKeys(ring, revokedKeys);
    await settingsFile.reload();
    const removed = await removeTemplates(removes.templates);
    if (!stored.ok || !removed) return { kind: 'storage-full' };
    const finished = await ask('team.finish', { version, settingsKey, removes });
    return finished.ok ? undefined : finished.fault;
  }

  async function removeTemplates(names: readonly string[]): Promise<boolean> {
    if (names.length === 0) return true;
    await replies.change((present) =>
      withTemplates(present, (all) => all.filter((one) => !namesTemplate(names, one))),
    );
    return replies.unsaved === undefined;
  }

  return { difference, revoked, compare, apply, removeTemplates };
}
