export { ChipFace } from '#core/ticket/chip';
export { findCodePositions, mayHoldCode } from '#core/ticket/code-positions';
export { LinkedFile, type LinkedFileFault } from '#core/ticket/linked-file';
export { nextCode, type StepHandle } from '#core/ticket/next-code';
export { planInput, type TabPagePort } from '#core/ticket/page-text';
export { Site, siteOriginOf } from '#core/ticket/site';
export { notesFor } from '#core/ticket/site-notes';
export { type Insertion, Ticket, type TicketCard } from '#core/ticket/ticket';
