export { administrationRules } from '#messaging/administration-rules';
export { createAsk } from '#messaging/ask';
export {
  handlerLimitMs,
  ownBuild,
  type ReplyMessage,
  type RequestMessage,
} from '#messaging/envelope';
export {
  type Ask,
  type Body,
  checkingRules,
  type Granted,
  type Refusal,
  type Reply,
} from '#messaging/protocol';
export { type Handlers, serve } from '#messaging/serve';
export type { TicketUpdate } from '#messaging/topics/ticket';
