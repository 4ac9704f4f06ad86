export { chipFaceOf } from '#core/chips/chip-face';
export { type Chip, createChipWords } from '#core/chips/chip-words';
export {
  type CodePosition,
  type CodeTest,
  createCodeTest,
  findCodePositions,
  type TextPiece,
} from '#core/chips/code-positions';
export { type FrameState, nextCode, type StepHandle, type StepState } from '#core/chips/next-code';
export { markupFor, type HelpDeskMarkup } from '#core/chips/help-desk-markup';
