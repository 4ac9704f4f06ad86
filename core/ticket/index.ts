export {
  type FrontTab,
  type InputPlan,
  type PageText,
  planInput,
  type TabPagePort,
} from '#core/ticket/page-text';
export {
  type Insertion,
  isOfTicket,
  isStillBefore,
  maxTicketLengths,
  type ShownTicket,
  type Ticket,
  ticketAddressOf,
  type TicketCard,
} from '#core/ticket/ticket';
