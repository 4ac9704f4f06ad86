import type { ReplySettings } from '#core/reply-templates/template';
import { isSameTemplate, namesTemplate } from '#core/reply-templates/template-key';

/**
 * Merges the policy's reply templates into the agent's: those of the same id and language are replaced, and those that an
 * earlier policy brought go. The agent's others stay behind the policy's.
 * @param brought names the templates that an earlier policy brought
 */
export function withPolicyTemplates(
  { templates, frames, ...present }: ReplySettings,
  policy: Partial<ReplySettings>,
  brought: readonly string[],
): ReplySettings {
  const theirs = policy.templates ?? [];
  const own = (templates ?? []).filter(
    (one) => !namesTemplate(brought, one) && !theirs.some((other) => isSameTemplate(one, other)),
  );
  const merged = [...theirs, ...own];
  const allFrames = { ...frames, ...policy.frames };
  return {
    ...present,
    ...policy,
    ...(merged.length > 0 ? { templates: merged } : {}),
    ...(Object.keys(allFrames).length > 0 && { frames: allFrames }),
  };
}
