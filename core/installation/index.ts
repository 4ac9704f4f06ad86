export {
  type ActivationFault,
  createInstallation,
  type Installation,
} from '#core/installation/installation';
export { judgeReply, type ValidationOutcome } from '#core/installation/judge-reply';
export type { Permit } from '#core/installation/permit';
export {
  createMemoryVault,
  type LicenseRequest,
  type LicensingApi,
  type TransportFault,
} from '#core/installation/ports';
export { recordValidation } from '#core/installation/record';
export { type SavedState, writeSavedState } from '#core/installation/saved-state';
