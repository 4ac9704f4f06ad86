import type { Page } from '@playwright/test';

import { maskCode } from '#core/codes/index';
import type { DayTicket } from '#sandbox/seed/day';

/** What stood in the reply field of a page when something was put into it. */
export interface Insertion {
  readonly address: string;
  /** The ticket that the page shows, where it says so. */
  readonly drawn: number;
  readonly text: string;
}

/** Has a page note what is put into its reply field, and which ticket it then shows. */
export async function noteInsertions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const insertions: Insertion[] = [];
    Object.assign(window, { insertions });
    addEventListener(
      'input',
      ({ target }) => {
        const { drawn = Number(document.querySelector('main')?.dataset['ticket']) } =
          window as unknown as { drawn?: number };
        const text = (target as HTMLTextAreaElement).value;
        insertions.push({ address: location.href, drawn, text });
      },
      true,
    );
  });
}

/** Returns what was noted since the page was loaded. */
export function insertionsOf(page: Page): Promise<readonly Insertion[]> {
  return page.evaluate(() => (window as { insertions?: Insertion[] }).insertions ?? []);
}

/** Names the codes in a reply that are none of its ticket. */
export function foreignCodes(
  { address, text }: Insertion,
  ticket: DayTicket | undefined,
): string[] {
  const own = new Set(ticket?.codes.map(maskCode));
  const named = text.match(/[\da-f]{4}…[\da-f]{4}/gu) ?? [];
  return named.filter((code) => !own.has(code)).map((code) => `${address}: ${code}`);
}

/** Presses the panel's button that inserts the reply, where there is one. */
export async function pressInsert(panel: Page): Promise<void> {
  await panel.evaluate(() => {
    document.querySelector<HTMLElement>('[data-shortcut="insert"]')?.click();
  });
}

/** Reads the card of the panel at one moment: the ticket it says it is of, and the codes it is about. */
export const cardOf = (panel: Page): Promise<{ address: string; codes: string[] }> =>
  panel.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('#code')?.value ?? '';
    const address = document.querySelector<HTMLElement>('[data-ticket]')?.dataset['ticket'] ?? '';
    return { address, codes: field.split('\n').filter((line) => line !== '') };
  });

/** Names the codes of the panel's card that are none of its ticket. */
export async function foreignInCard(
  panel: Page,
  ticketAt: (address: string) => DayTicket | undefined,
): Promise<string[]> {
  const { address, codes } = await cardOf(panel);
  const own = ticketAt(address)?.codes ?? [];
  return codes
    .filter((code) => !own.includes(code))
    .map((code) => `The card of ${address} holds ${code}`);
}
