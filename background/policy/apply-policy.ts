import type { SecretStore } from '#adapters/secrets/secret-store';
import type { AppliedPolicy } from '#adapters/storage/worker/index';
import type { Connections } from '#background/connections/connections';
import { entriesNow, removeEntries } from '#background/connections/remove-entries';
import { applyPreferences, type Settings } from '#background/connections/settings';
import type { AdministrationContext } from '#background/dependencies';
import { EntryIds } from '#core/settings/index';
import {
  findPolicyEntries,
  type Policy,
  type PolicyFault,
  withPolicyTemplates,
} from '#core/policy/index';
import { type ReplySettings, replyBounds } from '#core/reply-templates/template';
import { namesTemplate, templateKey } from '#core/reply-templates/template-list';
import { type Result, fail, succeed, omitUndefined } from '#core/result';
import type { StorageFull } from '#core/storage-full';

export interface ApplyNeeds {
  readonly connections: Pick<Connections, 'delete'>;
  readonly settings: Pick<Settings, 'import'>;
  /** Starts and ends ticket scripts by the sites as they are stored now. */
  readonly sitesChanged: () => Promise<void>;
  /** The key store without the policy's demand. */
  readonly secrets: Pick<SecretStore, 'state' | 'setMode'>;
}

interface Change {
  /** Null when there is none any more. */
  readonly policy: Policy | null;
  readonly text: string;
  readonly before: AppliedPolicy;
}

/**
 * Applies a policy over what is stored, and notes what it brought. What an earlier one brought and this one does not hold goes;
 * settings stay as they are and are the agent's again.
 */
export async function applyPolicy(
  context: AdministrationContext,
  needs: ApplyNeeds,
  { policy, text, before }: Change,
): Promise<Result<unknown, PolicyFault | StorageFull>> {
  const replySettings = context.storedSettings['reply-templates'];
  const mergeReplies = (present: ReplySettings = { format: 'plain' }): ReplySettings =>
    withPolicyTemplates(present, policy?.templates ?? {}, before.brought.templates);
  const replies = await replySettings.read();
  if ((mergeReplies(replies).templates?.length ?? 0) > replyBounds.templates)
    return fail({ kind: 'unreadable', path: 'templates' });
  const templates = replies?.templates ?? [];
  const present = { ...(await entriesNow(context)), templates: templates.map(templateKey) };
  const broughtBefore = {
    ...before.brought,
    templates: templates
      .filter((one) => namesTemplate(before.brought.templates, one))
      .map(templateKey),
  };
  if (policy !== null) {
    const { format, version, connections, authorities, sites } = policy;
    const imported = await needs.settings.import({
      format,
      version,
      connections,
      authorities,
      sites,
    });
    if (!imported.ok) return imported;
    if (imported.value.notStored.length > 0) return fail({ kind: 'storage-full' });
    await applyPreferences(context, policy);
    await meetDemand(needs.secrets, policy);
  }
  if (policy?.templates !== undefined || before.brought.templates.length > 0)
    await replySettings.change(mergeReplies);
  const locked = policy === null ? EntryIds.none : await lockedBy(context, policy);
  const gone = EntryIds.without(before.brought, locked);
  await removeEntries(context, needs, gone);
  const own = EntryIds.without(present, broughtBefore);
  const brought = EntryIds.without(locked, own);
  await context.policy.write(
    omitUndefined({ text, brought, locked, keyStorage: policy?.keyStorage }),
  );
  return succeed(undefined);
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

/** Stores keys as the policy demands, where no passphrase has to be typed for that. */
async function meetDemand(secrets: ApplyNeeds['secrets'], { keyStorage }: Policy): Promise<void> {
  if (keyStorage === undefined) return;
  const { mode } = await secrets.state();
  if (keyStorage.mode === mode || (mode !== 'passphrase' && keyStorage.mode !== 'passphrase'))
    await secrets.setMode(keyStorage);
}
