export {
  type AnswerSummary,
  type CheckAnswer,
  type CheckedCode,
  type CheckReport,
  type ExpectedItem,
  isForOtherItem,
  isLocked,
  isNotFound,
  isTemporary,
  notFoundReasons,
  type OutcomeSummary,
  purchaseIn,
  type PurchaseSummary,
  type StoredReport,
  summariseAnswer,
} from '#core/check/check-report';
export { purchaseFacts } from '#core/check/purchase-facts';
export { bestFirst, ExactVerdict, lastKnownOf, verdictOf } from '#core/check/verdict';
