import { createHash } from 'node:crypto';

import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Ticket } from '#sandbox/seed/tickets';

const { supported, lapsed, lapsedYesterday, endsTomorrow, noSupport, extended, neverDownloaded } =
  sampleCodes('/demo');
const sold = [
  supported,
  lapsed,
  lapsedYesterday,
  endsTomorrow,
  noSupport,
  extended,
  neverDownloaded,
];

/** A ticket of the day, with its codes. */
export interface DayTicket extends Ticket {
  readonly codes: readonly string[];
}

/** Holds a day at a help desk: forty tickets, of which every other one names no code, and no two the same one. */
export const dayTickets: readonly DayTicket[] = Array.from({ length: 40 }, (_, index) => {
  const id = 2001 + index;
  const codes = codesOf(index, id);
  return {
    id,
    subject: `Question ${String(index + 1)} of the day`,
    customer: `Customer ${String(index + 1)}`,
    holds: codes.length === 0 ? 'No code' : `Codes: ${String(codes.length)}`,
    codes,
    ...(index % 8 === 3 && { attached: ['validation-due-bundle.json'] }),
    messages: [
      {
        from: 'customer',
        hoursAgo: index + 1,
        text:
          codes.length === 0
            ? `The site is slow since the update. It is number ${String(id)} here.`
            : `My purchase: ${codes.join('\n')}\n\nIt stopped this morning.`,
      },
    ],
  };
});

function codesOf(index: number, id: number): readonly string[] {
  if (index % 2 === 1) return [];
  const known = index % 4 === 0 ? sold[index / 4] : undefined;
  if (known !== undefined) return [known];
  const count = index % 8 === 6 ? 3 : 1;
  return Array.from({ length: count }, (_, at) => madeUp(`${String(id)} ${String(at)}`));
}

/** Makes up a code that no seller knows, the same one for the same text. */
function madeUp(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5');
}
