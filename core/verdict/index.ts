export {
  columnFacts,
  factsOf,
  type FactValue,
  readFacts,
  type StoredFactName,
} from '#core/verdict/shown-facts';
export {
  type AnsweredReport,
  bestFirst,
  type ExactVerdict,
  lastKnownOf,
  reportsToRefresh,
  verdictOf,
} from '#core/verdict/verdict';
export {
  countVerdicts,
  isExact,
  isSettled,
  itemNameOf,
  type VerdictWord,
  verdicts,
  wordOf,
} from '#core/verdict/verdict-word';
