/** Describes a conversation in the sample help desk. */
export interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly customer: string;
  /** What the shape of its codes is, for whoever picks a ticket to try. */
  readonly holds: string;
  readonly messages: readonly Message[];
  /** Sample files of the license authority that the customer has attached, by name. */
  readonly attached?: readonly string[];
}

export interface Message {
  readonly from: 'customer' | 'agent';
  /** Hours before it is looked at. */
  readonly hoursAgo: number;
  /** Plain text: an empty line parts paragraphs, lines that begin with `>` are quoted mail. */
  readonly text: string;
  /** Shown under the text, as a block of code. */
  readonly code?: string;
}
