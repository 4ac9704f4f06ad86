import type { ReplyFields } from '#adapters/browser/reply-fields';
import type { AskedContent } from '#adapters/storage/waiting-files';
import type { TicketFeature } from '#background/ticket/feature';
import { omitUndefined } from '#core/result';
import type { Body } from '#messaging/protocol';

interface AttachedFilesDependencies {
  readonly ticket: Pick<TicketFeature, 'fetchLink'>;
  readonly replyFields: Pick<ReplyFields, 'addressInFront'>;
  readonly openInVerifier: (content: AskedContent) => Promise<void>;
}

/** Opens the verifier on files that the page in front links to; of those that could not be fetched the first one is named. */
export async function inspectAttachedFiles(
  { ticket, replyFields, openInVerifier }: AttachedFilesDependencies,
  { tabId, files }: Body<'ticket.inspect'>,
): Promise<null> {
  const pageUrl = await replyFields.addressInFront(tabId);
  const fetched = await Promise.all(
    files.map((address) => ticket.fetchLink({ address, tabId, pageUrl })),
  );
  const { notFetched } = fetched.find((each) => each.notFetched !== undefined) ?? {};
  await openInVerifier(
    omitUndefined({ files: fetched.flatMap((each) => each.files ?? []), notFetched }),
  );
  return null;
}
