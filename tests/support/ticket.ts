import { expect, type Page } from '@playwright/test';

import { devtoolsOf } from '#scripts/running/extension';
import { connectQuietly, test as base } from '#tests/support/connected';
import type { Base } from '#sandbox/seller/deployments';
import type { RunningExtension } from '#tests/support/extension';
import { type QuietPage, withQuietPage } from '#tests/support/quiet-page';
import { takeTab } from '#tests/support/tabs';

/** Gives `test` a help desk as well: it lies at localhost, the seller APIs at 127.0.0.1. */
export const test = base.extend<{
  desk: string;
  connectAtDesk: (
    bases: readonly Base[],
    options?: { readonly automatic: boolean },
  ) => Promise<void>;
  ticketPage: (bases: readonly Base[], options?: { readonly automatic: boolean }) => Promise<Page>;
}>({
  /** The help desk's address. */
  desk: async ({ sandbox }, use) => {
    await use(`${sandbox.origin.replace('127.0.0.1', 'localhost')}/desk`);
  },

  /** Sets up connections and allows the help desk, both from one page. */
  connectAtDesk: async ({ extension, sandbox, desk }, use) => {
    await use((bases, { automatic } = { automatic: false }) =>
      withQuietPage(extension.now, async (quiet) => {
        await allowQuietly(quiet, desk, automatic);
        await connectQuietly(quiet, sandbox, bases);
      }),
    );
  },

  /** Does the same, and opens an empty page for one of the tickets. */
  ticketPage: async ({ connectAtDesk, extension }, use) => {
    await use(async (...setUp) => {
      await connectAtDesk(...setUp);
      return takeTab(extension.now.context);
    });
  },
});

export { expect };

/** Reaches a page of the extension that Playwright does not see, such as the real popup. */
export interface HiddenPage {
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** Makes the gesture itself: a click on the extension's button while a page is in front, which grants activeTab. */
export async function clickToolbar(extension: RunningExtension, page: Page): Promise<void> {
  await page.bringToFront();
  const devtools = await devtoolsOf(extension.now);
  const { targetInfos } = await devtools.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const tab = targetInfos.find(({ url }) => url === page.url());
  if (tab === undefined) throw new Error('The page has no tab.');
  // Playwright does not know this command yet.
  const send = devtools.send.bind(devtools) as (method: string, params: object) => Promise<unknown>;
  await send('Extensions.triggerAction', { id: extension.now.id, targetId: tab.targetId });
  await devtools.detach();
}

/** Waits for a page of the extension that the browser opened by itself, and speaks with it. */
export async function hiddenPage(
  extension: Pick<RunningExtension, 'now'>,
  path: string,
): Promise<HiddenPage> {
  const devtools = await devtoolsOf(extension.now);
  const address = `chrome-extension://${extension.now.id}/${path}`;
  let targetId = '';
  await expect
    .poll(
      async () => {
        const { targetInfos } = await devtools.send('Target.getTargets');
        return (targetId = targetInfos.find(({ url }) => url === address)?.targetId ?? '');
      },
      { message: `the browser opens ${path}` },
    )
    .not.toBe('');
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: false });
  let id = 0;
  return {
    evaluate: (expression) =>
      new Promise((resolve, reject) => {
        const mine = (id += 1);
        devtools.on('Target.receivedMessageFromTarget', (event) => {
          const reply = JSON.parse(event.message) as {
            id?: number;
            result?: { result: { value?: unknown }; exceptionDetails?: { text: string } };
          };
          if (event.sessionId !== sessionId || reply.id !== mine) return;
          if (reply.result?.exceptionDetails !== undefined)
            reject(new Error(reply.result.exceptionDetails.text));
          else resolve(reply.result?.result.value as never);
        });
        devtools
          .send('Target.sendMessageToTarget', {
            sessionId,
            message: JSON.stringify({
              id: mine,
              method: 'Runtime.evaluate',
              params: { expression, awaitPromise: true, returnByValue: true },
            }),
          })
          .catch(reject);
      }),
    close: () => devtools.detach(),
  };
}

/** Returns the settled verdict of a hidden page, or `''`. */
export function verdictIn(page: HiddenPage): Promise<string> {
  return page.evaluate<string>(
    `document.querySelector('[data-verdict]:not([aria-busy])')?.dataset.verdict ?? ''`,
  );
}

/** Waits until a page that the browser opened by itself, such as `popup.html`, shows this verdict. */
export async function hiddenPageWith(
  extension: Pick<RunningExtension, 'now'>,
  path: string,
  verdict: string,
): Promise<HiddenPage> {
  const page = await hiddenPage(extension, path);
  await expect.poll(() => verdictIn(page)).toBe(verdict);
  return page;
}

/** Describes a chip, as only the browser's own tools see it: it stands in a closed shadow root. */
export interface SeenChip {
  readonly label: string;
  readonly tone: string;
  readonly code: string;
  /** `chip` or `icon`. */
  readonly form: string;
  /** In CSS pixels of the page. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface DomNode {
  readonly backendNodeId: number;
  readonly nodeName: string;
  readonly attributes?: string[];
  readonly children?: DomNode[];
  readonly shadowRoots?: DomNode[];
}

/** Returns the chips that are shown in a page, and in its frames of the same origin. */
export async function chipsOf(page: Page): Promise<SeenChip[]> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', {
    expression: `[document, ...[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument)]
      .map((each) => each?.documentElement?.lastElementChild)
      .filter((last) => last?.tagName === 'DIV')`,
  });
  const { result: hosts } = await devtools.send('Runtime.getProperties', {
    objectId: result.objectId ?? '',
    ownProperties: true,
  });
  const chips: SeenChip[] = [];
  for (const { value } of hosts) {
    if (value?.subtype !== 'node' || value.objectId === undefined) continue;
    const { node } = await devtools.send('DOM.describeNode', {
      objectId: value.objectId,
      depth: -1,
      pierce: true,
    });
    for (const button of buttonsIn(node)) {
      const attributes = Object.fromEntries(pairs(button.attributes ?? []));
      if ('hidden' in attributes) continue;
      const box = await devtools
        .send('DOM.getBoxModel', { backendNodeId: button.backendNodeId })
        .catch(() => undefined);
      if (box === undefined) continue;
      const { border, width, height } = box.model;
      const form = attributes['data-form'] ?? '';
      const [label = '', code = ''] = (attributes['aria-label'] ?? '').split(': ');
      const tone = attributes['class'] ?? '';
      chips.push({
        label,
        code,
        tone,
        form,
        left: border[0] ?? 0,
        top: border[1] ?? 0,
        width,
        height,
      });
    }
  }
  await devtools.detach();
  return chips;
}

function buttonsIn(host: DomNode): DomNode[] {
  return (host.shadowRoots ?? []).flatMap(all).filter(({ nodeName }) => nodeName === 'BUTTON');
}

function all(node: DomNode): DomNode[] {
  return [node, ...(node.children ?? []).flatMap(all)];
}

function pairs(list: readonly string[]): [string, string][] {
  return list.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, list[index + 1] ?? '']] : [],
  );
}

/** Lists the names of the buttons that a screen reader meets in a page, closed shadow roots included. */
export async function accessibleButtons(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && role?.value === 'button')
    .map(({ name }) => String(name?.value ?? ''));
}

/** Tells which of these texts a script of the page finds with the browser's own search, wherever it looks. */
export async function findableTexts(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (wanted) =>
      wanted.filter((text) => {
        getSelection()?.removeAllRanges();
        // Chromium and Firefox have it; no standard does.
        const { find } = window as unknown as {
          find: (text: string, matchCase: boolean, backwards: boolean, wrap: boolean) => boolean;
        };
        return find.call(window, text, false, false, true);
      }),
    texts,
  );
}

/** Allows a help desk, as a click on the options page does. Its origin must have been granted before the start. */
export async function allowHelpDesk(
  extension: Pick<RunningExtension, 'now'>,
  desk: string,
  automatic = false,
): Promise<void> {
  await withQuietPage(extension.now, (quiet) => allowQuietly(quiet, desk, automatic));
}

async function allowQuietly(
  { permit, ask }: QuietPage,
  desk: string,
  automatic: boolean,
): Promise<void> {
  const { origin } = new URL(desk);
  await permit(origin);
  const sites = await ask('sites.allow', { origin });
  if (!sites.ok) throw new Error(`The desk was not allowed: ${sites.fault.kind}`);
  if (automatic) await ask('sites.set-automatic', { origin, on: true });
}

export type { RunningExtension };
