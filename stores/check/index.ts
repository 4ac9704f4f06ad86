export { useCheck } from '#stores/check/check';
export { useKeptChecks } from '#stores/check/kept-checks';
export { type CodeVerdict, verdictOfCode } from '#stores/check/code-verdict';
export { type CheckEntry, faultOf, type PendingCheck } from '#stores/check/pending-check';
export { recentChecksPort, useRecent } from '#stores/check/recent';
export { useWaitingText } from '#stores/check/waiting-text';
