import type { SecretStore } from '#adapters/secrets/index';
import type { AppliedPolicy } from '#adapters/storage/worker/index';
import type { Connections } from '#background/connections/connections';
import { entriesNow, removeEntries } from '#background/connections/remove-entries';
import { applyPreferences, type SettingsTransfer } from '#background/connections/settings-import';
import type { AdministrationContext } from '#background/dependencies';
import {
  findPolicyEntries,
  type Policy,
  type PolicyFault,
  withPolicyTemplates,
} from '#core/policy/index';
import {
  namesTemplate,
  replyBounds,
  type ReplySettings,
  templateKey,
} from '#core/reply-templates/index';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { StorageFull } from '#core/storage/index';
import {
  type EntryIds,
  noEntries,
  unionOfEntries,
  withoutEntries,
} from '#core/settings-import/index';

export interface ApplyNeeds {
  readonly connections: Pick<Connections, 'delete'>;
  readonly settings: Pick<SettingsTransfer, 'import'>;
  /** Starts and ends ticket scripts to match the stored sites. */
  readonly sitesChanged: () => Promise<void>;
  /** The key store without the restriction of the policy. */
  readonly secrets: Pick<SecretStore, 'state' | 'setMode'>;
}

interface Change {
  /** Null if there is no policy any more. */
  readonly policy: Policy | null;
  readonly text: string;
  readonly before: AppliedPolicy;
  /** The policy whose application was started but not recorded as finished. */
  readonly interrupted: Policy | null;
}

/**
 * Applies a policy to the stored settings, and records what it added. Entries that an earlier policy added and this one
 * lacks are removed. Settings that it no longer sets keep their values, and the agent may change them again. If the
 * disk is full, the entries that it has added so far are removed again.
 */
export async function applyPolicy(
  context: AdministrationContext,
  needs: ApplyNeeds,
  { policy, text, before, interrupted }: Change,
): Promise<Result<unknown, PolicyFault | StorageFull>> {
  const full = fail({ kind: 'storage-full' });
  const replySettings = context.storedSettings['reply-templates'];
  const replies = await replySettings.read();
  const templates = replies?.templates ?? [];
  const addedBefore = await findAdded(context, before, interrupted, templates);
  const mergeReplies = changeOfReplies(policy?.templates ?? {}, addedBefore);
  if ((mergeReplies(replies).templates?.length ?? 0) > replyBounds.templates)
    return fail({ kind: 'unreadable', path: 'templates' });
  const present = { ...(await entriesNow(context)), templates: templates.map(templateKey) };
  const own = withoutEntries(present, addedBefore);

  if (policy !== null) {
    // If the worker is stopped after this, the record shows what was added.
    const begun = { ...before, added: addedBefore, begun: { text, own } };
    if (!(await isStored(context.policy.write(begun)))) return full;
    const { format, version, connections, authorities, sites } = policy;
    const lists = { format, version, connections, authorities, sites };
    const imported = await needs.settings.import(lists);
    if (!imported.ok) return imported;
  }

  const locked = policy === null ? noEntries : await lockedBy(context, policy);
  const changesTemplates = policy?.templates !== undefined || addedBefore.templates.length > 0;
  const applied = omitUndefined({
    text,
    added: withoutEntries(locked, own),
    locked,
    keyStorage: policy?.keyStorage,
  });
  /** Returns false at the first step for which there is no room. */
  const applyRest = async (): Promise<boolean> => {
    if (policy !== null) {
      if (!(await applyPreferences(context, policy).catch(() => false))) return false;
      if (!(await meetDemand(needs.secrets, policy))) return false;
    }
    if (changesTemplates && !(await isStored(replySettings.change(mergeReplies)))) return false;
    if (!(await removeEntries(context, needs, withoutEntries(addedBefore, locked)))) return false;
    return isStored(context.policy.write(applied));
  };
  if (await applyRest()) return succeed(undefined);

  const newlyAdded = withoutEntries(withoutEntries(locked, own), addedBefore);
  await removeEntries(context, needs, newlyAdded);
  if (newlyAdded.templates.length > 0)
    await isStored(replySettings.change(changeOfReplies({}, newlyAdded)));
  return full;
}

/** Returns a change of the reply settings that adds the policy's templates and removes those that it no longer has. */
function changeOfReplies(
  theirs: Partial<ReplySettings>,
  gone: EntryIds,
): (present?: ReplySettings) => ReplySettings {
  return (present = { format: 'plain' }) => withPolicyTemplates(present, theirs, gone.templates);
}

/** Returns whether a setting was stored; the browser's storage area rejects if it is full. */
function isStored(written: Promise<Result<unknown, unknown>>): Promise<boolean> {
  return written.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Finds what earlier policies added, including one whose application was interrupted. */
async function findAdded(
  context: AdministrationContext,
  { added, begun }: AppliedPolicy,
  interrupted: Policy | null,
  templates: NonNullable<ReplySettings['templates']>,
): Promise<EntryIds> {
  const all =
    begun === undefined || interrupted === null
      ? added
      : unionOfEntries(added, withoutEntries(await lockedBy(context, interrupted), begun.own));
  return {
    ...all,
    templates: templates.filter((one) => namesTemplate(all.templates, one)).map(templateKey),
  };
}

async function lockedBy(
  { connectionStore, authorities }: AdministrationContext,
  policy: Policy,
): Promise<EntryIds> {
  return findPolicyEntries(policy, {
    connections: await connectionStore.read(),
    authorities: await authorities.read(),
  });
}

/**
 * Stores keys in the way that the policy requires, if that needs no passphrase.
 * @returns whether there was room. If the requirement is not met for another reason, no key can be used
 */
async function meetDemand(
  secrets: ApplyNeeds['secrets'],
  { keyStorage }: Policy,
): Promise<boolean> {
  if (keyStorage === undefined) return true;
  const { mode } = await secrets.state();
  const isPossible =
    keyStorage.mode === mode || (mode !== 'passphrase' && keyStorage.mode !== 'passphrase');
  return (
    !isPossible ||
    secrets.setMode(keyStorage).then(
      (set) => set.ok || set.fault.kind !== 'storage-full',
      () => false,
    )
  );
}
