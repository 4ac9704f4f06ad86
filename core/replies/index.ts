export {
  composeReplies,
  composeReply,
  type ReplyCatalogue,
  type ReplyStyle,
  variableGaps,
} from '#core/replies/compose-reply';
export { licenseReplyFacts } from '#core/replies/license-facts';
export type { ReplyObstacle } from '#core/replies/license-situation';
export { purchaseReplyFacts } from '#core/replies/purchase-facts';
export type { ReplyFacts } from '#core/replies/reply-facts';
export {
  customerDomain,
  forgetLanguage,
  rememberedLanguage,
  rememberLanguage,
  replyLanguageOf,
  type ReplyLanguages,
} from '#core/replies/reply-language';
export { sampleFacts } from '#core/replies/sample-facts';
