import type { Page } from '@playwright/test';

import { demo } from '#sandbox/seed/demo';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Sandbox } from '#sandbox/server';
import { addConnection, checkCode } from '#scripts/running/agent';
import { type Extension, openPage } from '#scripts/running/extension';
import { besidePanel, type Png, underToolbar } from '#scripts/pictures/stages';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { chooseFiles, enterKey } from '#tests/support/pages/verifier-page';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { allowHelpDesk, chipsOf } from '#tests/support/ticket';

/** Gives the size of a screenshot in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const popupWidth = 384;

/** Holds what one profile shows on the way from the first steps to a bulk check. */
export interface Scenes {
  /** Full screenshots, by name, in the order in which a store should show them. */
  readonly screenshots: ReadonlyMap<string, Png>;
  /** The card of a purchase, and that of a license, for the promotional tiles. */
  readonly purchase: Png;
  readonly license: Png;
}

/** Walks through the production build and takes its pictures. The hosts of the sandbox must have been granted before. */
export async function takeScenes(
  extension: Extension,
  sandbox: Sandbox,
  size: Size,
  dark: boolean,
): Promise<Scenes> {
  const { supported, unknown, noSupport } = sampleCodes('/demo');
  const open = (path: string, frame: Size = size): Promise<Page> =>
    opened(openPage(extension, path), frame);
  const stage = await opened(extension.context.newPage(), size);
  const staged = async (html: string): Promise<Png> => {
    await stage.setContent(html, { waitUntil: 'load' });
    return stage.screenshot();
  };

  const options = await open('options.html');
  await addConnection(options, {
    name: 'Fenwick Studio',
    baseAddress: `${sandbox.origin}/demo`,
    apiKey: sandbox.keys['/demo'],
  });
  const firstSteps = await pictureOf(options);
  const desk = sandbox.origin.replace('127.0.0.1', 'localhost');
  await allowHelpDesk({ now: extension }, desk, true);

  const popup = await open('popup.html', { width: popupWidth, height: 200 });
  await checkCode(popup, supported);
  const popupPicture = await pictureOf(popup, true);
  const purchase = await popup.locator('[data-verdict]').screenshot();
  const ticket = await opened(extension.context.newPage(), size);
  const ticketPicture = async (number: number, chips: number, written = ''): Promise<Png> => {
    await ticket.goto(`${desk}/desk/tickets/${String(number)}`);
    await ticket.getByLabel('Reply').fill(written);
    await chipsDrawn(ticket, chips);
    return pictureOf(ticket);
  };
  const pageWidth = size.width - popupWidth - 48;
  await ticket.setViewportSize({ width: pageWidth, height: size.height });
  const beneath = await ticketPicture(1041, 1);
  const ground = await ticket.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const underPopup = await staged(
    underToolbar(beneath, popupPicture, { pageWidth, popupWidth, ground, dark }),
  );

  const panel = await open('sidepanel.html', { width: popupWidth, height: size.height });
  await checkCode(panel, noSupport);
  await extension.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: 'Copy reply' }).click();
  await panel.getByText('Copied', { exact: true }).waitFor();
  const reply = await panel.evaluate(() => navigator.clipboard.readText());
  const panelPicture = await pictureOf(panel);
  await ticket.setViewportSize({ width: size.width - popupWidth, height: size.height });
  const beside = await staged(
    besidePanel(await ticketPicture(1043, 4, reply), panelPicture, popupWidth, dark),
  );

  const bulk = await open('desk.html');
  const codes = demo.purchases.map(({ code }) => code);
  await startBulkCheck(bulk, [...codes.slice(0, 12), unknown].join('\n'));
  await bulk.getByText('Finished', { exact: true }).first().waitFor({ timeout: 120_000 });
  const bulkPicture = await pictureOf(bulk);

  const verifier = await open('verifier.html');
  const authority = createTestAuthority();
  await enterKey(verifier, authority.publicKey);
  await verifier.getByLabel('Label').fill('Fenwick licenses');
  await verifier.getByRole('button', { name: 'Confirm' }).click();
  await chooseFiles(verifier, ['installation-state.json', installationState(authority)]);
  const result = verifier.locator('[data-standing]');
  await result.waitFor();
  const verifierPicture = await pictureOf(verifier);
  const license = await result.screenshot();

  return {
    screenshots: new Map([
      ['1-popup', underPopup],
      ['2-ticket', beside],
      ['3-verifier', verifierPicture],
      ['4-bulk', bulkPicture],
      ['5-first-steps', firstSteps],
    ]),
    purchase,
    license,
  };
}

/** Waits until the ticket shows this many verdicts. */
async function chipsDrawn(ticket: Page, count: number): Promise<void> {
  const settled = async (): Promise<number> =>
    (await chipsOf(ticket)).filter(({ label }) => !label.startsWith('Check')).length;
  for (let tries = 0; (await settled()) < count; tries += 1) {
    if (tries === 100) throw new Error('The ticket shows no verdicts.');
    await ticket.waitForTimeout(100);
  }
}

async function opened(opening: Promise<Page>, size: Size): Promise<Page> {
  const page = await opening;
  await page.setViewportSize(size);
  return page;
}

async function pictureOf(page: Page, fullPage = false): Promise<Png> {
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' });
  });
  return page.screenshot({ fullPage, animations: 'disabled' });
}
