import type { ReplyFields } from '#adapters/browser/reply-fields';
import type { Sites } from '#background/ticket/sites';
import { type Insertion, ticketAddressOf } from '#core/ticket/index';
import type { Body } from '#messaging/index';
import { siteOriginOf } from '#core/preferences/index';

interface ReplyDependencies {
  readonly sites: Pick<Sites, 'find'>;
  readonly replyFields: ReplyFields;
}

/**
 * Puts a reply into the ticket that it was made for. The tab must still be in front and at the ticket's address. The
 * script in the page compares address and subject again, since either may change until it runs.
 */
export async function insertReply(
  { sites, replyFields }: ReplyDependencies,
  { text, ticket }: Body<'ticket.insert'>,
): Promise<Insertion> {
  const origin = siteOriginOf(ticket.address);
  if (origin === undefined || (await sites.find(origin)) === undefined) return 'no-field';
  const inFront = (await replyFields.addressInFront(ticket.tabId)) ?? '';
  if (ticketAddressOf(inFront) !== ticket.address) return 'other-ticket';
  return replyFields.insert(text, ticket);
}
