import type { Page } from '@playwright/test';

import { demo } from '#sandbox/seed/accounts';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Sandbox } from '#sandbox/server';
import { addConnection, checkCode } from '#scripts/running/agent';
import { type Extension, openPage } from '#scripts/running/extension';
import { createTestAuthority, installationState } from '#tests/support/license-files';
import { startBulkCheck } from '#tests/support/pages/desk-page';
import { chooseFiles, enterKey } from '#tests/support/pages/verifier-page';
import { allowHelpDesk, chipsOf } from '#tests/support/ticket';

export type Png = Buffer;

const source = (png: Png): string => `data:image/png;base64,${png.toString('base64')}`;

const reset = `*{margin:0;box-sizing:border-box}html,body{height:100%}img{display:block}`;

/** Sets a side panel beside the page, as the browser does. */
function besidePanel(page: Png, panel: Png, panelWidth: number, dark: boolean): string {
  const line = dark ? '#3a3d47' : '#d5d8e2';
  return `<style>${reset}
    body{display:flex}
    .page{width:calc(100% - ${String(panelWidth)}px)}
    .panel{width:${String(panelWidth)}px;border-left:1px solid ${line}}
  </style><img class="page" src="${source(page)}"><img class="panel" src="${source(panel)}">`;
}

/**
 * Hangs the popup in the corner of the window, as the browser does.
 * @param page narrower than the window, so that the popup covers nothing of it
 * @param ground the page's own colour, which goes on beside it
 */
function underToolbar(
  page: Png,
  popup: Png,
  { pageWidth, popupWidth, ground, dark }: PopupStage,
): string {
  const shadow = dark ? '#000a' : '#1a1f3d40';
  return `<style>${reset}
    body{background:${ground}}
    .page{width:${String(pageWidth)}px}
    .popup{position:fixed;top:20px;right:32px;width:${String(popupWidth)}px;border-radius:12px;box-shadow:0 0 0 1px ${shadow},0 16px 56px ${shadow}}
  </style><img class="page" src="${source(page)}"><img class="popup" src="${source(popup)}">`;
}

interface PopupStage {
  /** CSS pixels. */
  readonly pageWidth: number;
  /** CSS pixels. */
  readonly popupWidth: number;
  readonly ground: string;
  readonly dark: boolean;
}

const grounds = {
  light: 'linear-gradient(135deg,#4a55c8,#343b9d 70%)',
  dark: 'linear-gradient(135deg,#23275c,#14162f 70%)',
} as const;

const brand = (dark: boolean): string => `${reset}
  body{background:${grounds[dark ? 'dark' : 'light']};color:#fff;font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow:hidden}
  .mark svg{display:block;width:100%;height:100%}
  .mark svg path:first-child{fill:#fff}
  .mark svg path{stroke:#4a55c8}
  .mark svg path:first-child{stroke:none}`;

/**
 * Draws the small promotional tile: the mark and the name alone, since the store shows it at half this size.
 * @param logo the SVG of the mark
 */
export function smallTile(logo: string, dark: boolean): string {
  return `<style>${brand(dark)}
    body{display:grid;place-content:center;justify-items:center;gap:10px}
    .mark{width:148px;height:148px;margin:-18px 0 -22px}
    h1{font-size:46px;letter-spacing:-.5px}
  </style><div class="mark">${logo}</div><h1>Counterfoil</h1>`;
}

/**
 * Draws the large promotional tile: name and description beside two verdicts.
 * @param description the manifest's
 */
export function marquee(
  logo: string,
  description: string,
  { purchase, license }: { readonly purchase: Png; readonly license: Png },
  dark: boolean,
): string {
  return `<style>${brand(dark)}
    .words{position:fixed;left:88px;top:0;bottom:0;width:470px;display:grid;align-content:center;gap:20px}
    .name{display:flex;align-items:center;gap:18px}
    .mark{width:84px;height:84px;flex:none}
    h1{font-size:60px;letter-spacing:-1px}
    p{font-size:26px;line-height:1.42;color:#e3e6ff;text-wrap:balance}
    img{position:fixed;border-radius:12px;box-shadow:0 3px 10px #0b0e2a66,0 24px 70px #0b0e2a99}
    .license{width:620px;left:640px;top:64px}
    .purchase{width:384px;left:956px;top:150px}
  </style>
  <div class="words"><div class="name"><div class="mark">${logo}</div><h1>Counterfoil</h1></div><p>${description}</p></div>
  <img class="license" src="${source(license)}"><img class="purchase" src="${source(purchase)}">`;
}

/** The size of a screenshot in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const popupWidth = 384;

/** The scenes of one profile on the way from the first steps to a bulk check. */
export interface Scenes {
  /** Full screenshots, by name, in the order in which a store should show them. */
  readonly screenshots: ReadonlyMap<string, Png>;
  /** The card of a purchase, and that of a license, for the promotional tiles. */
  readonly purchase: Png;
  readonly license: Png;
}

/**
 * Walks through the production build and takes its pictures. The hosts of the sandbox must have been granted before.
 */
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
