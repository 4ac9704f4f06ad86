export {
  type AnswerSummary,
  type CheckAnswer,
  type CheckedCode,
  type CheckReport,
  type DatedAnswer,
  type EarlierCheck,
  isLocked,
  isNotFound,
  notFoundReasons,
  type OutcomeSummary,
  purchaseIn,
  type PurchaseSummary,
  type StoredReport,
  summariseAnswer,
} from '#core/check/check-report';
export { type CheckQuestion, type CheckRequest, questionAbout } from '#core/check/check-request';
export { isAboutKey, isTemporary } from '#core/check/fault-rules';
export { nextRetryAt } from '#core/check/next-retry';
