export { CheckEntry, faultOf, type PendingCheck, useCheck } from '#stores/check/check';
export { type CodeVerdict, verdictOfCode } from '#stores/check/code-verdict';
export { recentChecksPort, useRecent } from '#stores/check/recent';
export { useWaitingText } from '#stores/check/waiting-text';
