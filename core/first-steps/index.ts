export {
  type ConnectionFacts,
  firstSteps,
  isFinished,
  leadingStep,
  readChoice,
  type Step,
  type StepId,
  type StepState,
  writeChoice,
} from '#core/first-steps/first-steps';
export { isSandbox, sandboxPage, sandboxPort, sandboxShop } from '#core/first-steps/sandbox';
