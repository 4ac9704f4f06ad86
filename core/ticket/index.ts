export { ChipFace } from '#core/ticket/chip';
export {
  type CodePosition,
  findCodePositions,
  mayHoldCode,
  type TextPiece,
} from '#core/ticket/code-positions';
export { LinkedFile, type LinkedFileFault } from '#core/ticket/linked-file';
export { type FrameState, nextCode, type StepHandle, type StepState } from '#core/ticket/next-code';
export {
  type FrontTab,
  type InputPlan,
  type PageText,
  planInput,
  type TabPagePort,
} from '#core/ticket/page-text';
export { Site, siteOriginOf } from '#core/ticket/site';
export { notesFor, type SiteNote } from '#core/ticket/site-notes';
export { type Insertion, Ticket, type TicketCard } from '#core/ticket/ticket';
