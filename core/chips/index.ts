export { type ChipFace, chipFaceOf, isAnswer, supportedUntilOf } from '#core/chips/chip-face';
export {
  type CodePosition,
  type CodeTest,
  createCodeTest,
  findCodePositions,
  type TextPiece,
} from '#core/chips/code-positions';
export { type FrameState, nextCode, type StepHandle, type StepState } from '#core/chips/next-code';
export { notesFor, type SiteNote } from '#core/chips/site-notes';
