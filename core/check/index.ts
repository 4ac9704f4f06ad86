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
export {
  bestFirst,
  type ExactVerdict,
  lastKnownOf,
  type PurchaseVerdict,
  reportsToRefresh,
  verdictOf,
} from '#core/verdict/verdict';
