export { faultOf, useCheck } from '#stores/check/check';
export type { CheckEntry } from '#stores/check/check-entry';
export { type CodeVerdict, verdictOfCode } from '#stores/check/code-verdict';
export type { PendingCheck } from '#stores/check/pending-check';
export { recentChecksPort, useRecent } from '#stores/check/recent';
export { useWaitingText } from '#stores/check/waiting-text';
