import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import CheckPanel from '#components/check/CheckPanel.vue';
import { replyCataloguesKey } from '#components/reply-templates/reply-catalogues';
import type { CheckReport } from '#core/check/index';
import type { ReplyCatalogue } from '#core/replies/index';
import { withoutIsolates } from '#core/text/index';
import english from '#locales/en/replies.json';
import { useCheck } from '#stores/check/index';
import { copyPort } from '#stores/ports';
import { replyFieldPort } from '#stores/ticket/ports';
import { mounting, type PageHarness } from '#tests/components/mounted';
import {
  code,
  connection,
  day,
  demo,
  faulty,
  genuine,
  item,
  notFound,
  now,
  otherCode,
  purchase,
  thirdCode,
  unsupported,
} from '#tests/stores/check/samples';
import type { Script } from '#tests/stores/scripted-worker';

type Check = NonNullable<Script['check']>;

const field = page.getByRole('textbox', { name: 'Purchase code' });
const verdicts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-verdict]')];
/** Tells whether the button of a shortcut is in sight. */
const isSeen = (shortcut: string): boolean | undefined =>
  document
    .querySelector(`[data-shortcut="${shortcut}"]`)
    ?.checkVisibility({ visibilityProperty: true });
const kinds = (): (string | undefined)[] => verdicts().map(({ dataset }) => dataset['verdict']);

function popup(
  check: Check,
  {
    connections = [connection()],
    ...rest
  }: { connections?: (typeof demo)[] } & Partial<Parameters<typeof mounting>[1]> = {},
): PageHarness {
  return mounting(CheckPanel, {
    script: { 'connections.list': () => connections, check, ...rest.script },
    ...rest,
  });
}

async function enter(text: string): Promise<void> {
  await field.fill(text);
  await userEvent.keyboard('{Enter}');
}

/** Submits a code whose genuine answer comes once `answer` is resolved. Ends when its card says whom it asks. */
async function submitted(): Promise<{
  answer: PromiseWithResolvers<undefined>;
  card: Element | null;
}> {
  const answer = Promise.withResolvers<undefined>();
  popup(async (asked) => {
    await answer.promise;
    return genuine(asked);
  });
  await enter(code);
  await expect.element(page.getByText('Asking Market…')).toBeVisible();
  return { answer, card: document.querySelector('article') };
}

/** Pastes into the field, which must have been mounted. */
async function paste(text: string): Promise<void> {
  await expect.element(field).toHaveFocus();
  const area = field.element() as HTMLTextAreaElement;
  area.value = text;
  area.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
}

beforeEach(async () => {
  await page.viewport(384, 600);
});

describe('the field', () => {
  test('has the focus on opening', async () => {
    popup(genuine);
    await expect.element(field).toHaveFocus();
  });

  test('takes over what was typed into the static page, and the selection in it', async () => {
    popup(genuine, { props: { typed: { text: 'abcdef', start: 2, end: 4 } } });
    await expect.element(field).toHaveValue('abcdef');
    await userEvent.keyboard('X');
    await expect.element(field).toHaveValue('abXef');
  });

  test('checks a code that was pasted into the static page at once', async () => {
    popup(genuine, { props: { typed: { text: code, start: code.length, end: code.length } } });
    await expect.poll(kinds).toEqual(['supported']);
  });

  test('keeps the focus after a check, its text selected for the next paste', async () => {
    popup(genuine);
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('{Delete}');
    await expect.element(field).toHaveValue('');
  });

  test('gets the focus back from the button', async () => {
    popup(genuine);
    await field.fill(code);
    await page.getByRole('button', { name: 'Check' }).click();
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveFocus();
  });

  test('is emptied by Escape, and an empty one leaves Escape to the browser', async () => {
    popup(genuine);
    await enter(code);
    let left = 0;
    const count = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) left += 1;
    };
    window.addEventListener('keydown', count);
    await userEvent.keyboard('{Escape}');
    await expect.element(field).toHaveValue('');
    expect(left).toBe(0);
    await userEvent.keyboard('{Escape}');
    expect(left).toBe(1);
    window.removeEventListener('keydown', count);
  });

  test('one pasted code is checked at once, and its text is selected for the next paste', async () => {
    popup(genuine);
    await paste(`Hello, my code is ${code}. Thanks!`);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveValue(code);
    const { selectionStart, selectionEnd } = field.element() as HTMLTextAreaElement;
    expect([selectionStart, selectionEnd]).toEqual([0, code.length]);
  });

  /** Puts the caret into the field, and pastes there as the browser does. */
  function pasteAt(caret: number, text: string): void {
    const area = field.element() as HTMLTextAreaElement;
    area.setSelectionRange(caret, caret);
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  test('a pasted code replaces one that was checked, wherever the caret is, but a part of one mends it', async () => {
    popup(genuine);
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    pasteAt(9, otherCode);
    await expect.element(field).toHaveValue(otherCode);
    pasteAt(9, code);
    await expect.element(field).toHaveValue(otherCode.slice(0, 9) + code + otherCode.slice(9));
    await enter(code.slice(0, -4));
    await expect.poll(kinds).toEqual(['supported']);
    pasteAt(code.length - 4, code.slice(-4));
    await expect.element(field).toHaveValue(code);
  });

  test('the click that focuses it selects its text, the next one places the caret', async () => {
    popup(genuine);
    await field.fill(code);
    (document.activeElement as HTMLElement).blur();
    const { selectionStart: start, selectionEnd: end } = field.element() as HTMLTextAreaElement;
    expect(end - start).toBe(0);
    const selected = (): string => getSelection()?.toString() ?? '';
    await field.click();
    expect(selected()).toBe(code);
    await field.click();
    expect(selected()).toBe('');
  });

  test('the text of a check that it did not start is selected too', async () => {
    popup(genuine);
    await expect.element(field).toHaveFocus();
    const check = useCheck();
    check.replaceText(code, false);
    await check.submit();
    await expect.poll(() => getSelection()?.toString()).toBe(code);
  });

  test.each([
    ['several codes', `${code} ${otherCode}`, {}],
    ['a word of another form', 'CSC-BXHDTZGLJGVN', {}],
    ['one code, where that is switched off', code, { selectionAtOnce: false }],
  ])('%s wait for Enter', async (_what, text, preferences) => {
    popup(genuine, { preferences });
    await paste(text);
    await expect.element(field).not.toHaveValue('');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(document.querySelector('[data-verdict], [aria-busy]')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => kinds()[0]).toBe('supported');
  });

  test('folds a pasted ticket to its codes, in one line or in many', async () => {
    popup(genuine);
    await paste(`Hi, ${code}, and ${otherCode}.`);
    await expect.element(field).toHaveValue(`${code}\n${otherCode}`);
    await expect.element(page.getByText('2 codes found in the text. Press Enter.')).toBeVisible();
  });

  test('keeps every line while one of several codes is edited', async () => {
    popup(genuine);
    await paste(`Hi, ${code}, and ${otherCode}.`);
    await expect.element(field).toHaveValue(`${code}\n${otherCode}`);
    const shorter = `${code}\n${otherCode.slice(0, -1)}`;
    const last = otherCode.slice(-1);
    await userEvent.keyboard('{Control>}{End}{/Control}{Backspace}');
    await expect.element(field).toHaveValue(shorter);
    await userEvent.keyboard(`${last}${last}{Backspace}`);
    await expect.element(field).toHaveValue(`${shorter}${last}`);
    await userEvent.keyboard('{Enter}');
    await expect.poll(kinds).toEqual(['supported', 'supported']);
  });

  test('gives back by undo what was folded and what Escape has emptied', async () => {
    popup(genuine);
    await expect.element(field).toHaveFocus();
    const ticket = `Hi, ${code},\nand ${otherCode}.`;
    const asPasted = (event: Event): void => {
      Object.defineProperty(event, 'inputType', { value: 'insertFromPaste' });
    };
    window.addEventListener('input', asPasted, { capture: true, once: true });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- what it inserts can be undone
    document.execCommand('insertText', false, ticket);
    await expect.element(field).toHaveValue(`${code}\n${otherCode}`);
    await userEvent.keyboard('{Escape}');
    await expect.element(field).toHaveValue('');
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(field).toHaveValue(`${code}\n${otherCode}`);
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(field).toHaveValue(ticket);
    await userEvent.keyboard('{Enter}');
    await expect.poll(kinds).toEqual(['supported', 'supported']);
  });
});

describe('verdicts', () => {
  test('supported: until when, and how long that is', async () => {
    popup(genuine);
    await enter(code);
    const verdict = page.getByRole('article');
    await expect
      .element(verdict.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Supported until Mar 12, 2027');
    expect(verdict.element().textContent).toContain('3 months left');
    expect(kinds()).toEqual(['supported']);
  });

  test('it is drawn before what follows from it, and is busy until that stands', async () => {
    const seen: { readonly busy: boolean; readonly facts: boolean }[] = [];
    new MutationObserver(() => {
      const [card] = verdicts();
      if (card === undefined) return;
      const facts = document.querySelector('.facts') !== null;
      seen.push({ busy: card.ariaBusy === 'true', facts });
    }).observe(document, { subtree: true, childList: true, attributes: true });
    popup(genuine);
    await enter(code);
    await expect.poll(() => seen.at(-1)).toEqual({ busy: false, facts: true });
    expect(seen[0]).toEqual({ busy: true, facts: false });
    expect(seen).not.toContainEqual({ busy: false, facts: false });
  });

  test('the facts come in the order an agent needs them', async () => {
    popup(genuine);
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(page.getByRole('heading', { level: 3 })).toHaveTextContent('Orbit CRM');
    await expect.element(page.getByText('v2.4.1')).toBeVisible();
    await expect.element(page.getByText('Scripts / CRM')).toBeVisible();
    const facts = [...document.querySelectorAll('dl.facts > *')].map((each) =>
      each.textContent.replaceAll(/\s+/g, ' ').trim(),
    );
    expect(facts).toEqual([
      'License',
      'Regular',
      'Paid',
      '$29.00',
      'Bought',
      'Jan 15, 202610 months ago',
    ]);
    expect(document.querySelector('h2 time')?.getAttribute('title')).toBe(
      '2027-03-12 12:00:00 UTC',
    );
    expect(document.querySelector('dd time')?.getAttribute('title')).toBe(
      '2026-01-15 09:30:00 UTC',
    );
  });

  test('a download is worth a word only where there was none', async () => {
    popup((asked) => genuine(asked, purchase({ downloaded: false })));
    await enter(code);
    await expect.element(page.getByText('Not yet')).toBeVisible();
  });

  test('the parts of a line have a dot between them, and none where a line begins', async () => {
    await page.viewport(384, 600);
    popup(genuine);
    await enter(code);
    await expect.element(page.getByText('v2.4.1')).toBeVisible();
    const parts = [...document.querySelectorAll('.purchase-item .dotted > span > span')];
    const line = document.querySelector('.purchase-item .dotted')?.getBoundingClientRect();
    const [first, second] = parts.map((part) => part.getBoundingClientRect());
    expect(first?.left).toBeLessThan(line?.left ?? 0);
    expect(second?.left).toBeGreaterThan(line?.left ?? 0);
  });

  test('lapsed: genuine, and since when', async () => {
    popup((asked) => genuine(asked, purchase({ supportedUntil: now - 280 * day })));
    await enter(code);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Genuine, support ended 9 months ago');
    expect(kinds()).toEqual(['lapsed']);
  });

  test('a verdict changes when its moment comes, without a new question', async () => {
    const harness = popup((asked) => genuine(asked, purchase({ supportedUntil: now + 1000 })));
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    harness.clock = now + 1000;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(kinds).toEqual(['lapsed']);
  });

  test('without support', async () => {
    popup((asked) => genuine(asked, unsupported));
    await enter(code);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Genuine, without support');
    await expect.element(page.getByText('Studio')).toBeVisible();
    expect(kinds()).toEqual(['no-support']);
  });

  test('not found: the server’s own words, honest reasons, and nobody is called a fake', async () => {
    popup((asked) => {
      const report = notFound(asked);
      return {
        ...report,
        outcome: {
          ok: true,
          value: { kind: 'not-found', msg: 'Código <b>no</b>', key: 'unknown', proven: false },
        },
      } satisfies CheckReport;
    });
    await enter(code);
    await expect.poll(kinds).toEqual(['not-found']);
    await expect.poll(() => document.querySelector('q')?.textContent).toBe('Código <b>no</b>');
    const reasons = [...document.querySelectorAll('.not-found li')].map(
      ({ textContent }) => textContent,
    );
    expect(reasons).toHaveLength(5);
    expect(reasons.join()).not.toMatch(/reason\./);
    expect(document.body.textContent).not.toMatch(/fake|fraud|stolen/i);
  });

  test('what a server sends is text, never markup', async () => {
    const script = '<img src=x onerror="document.title=1"><script>1</script>';
    popup((asked) =>
      genuine(
        asked,
        purchase({ licenseType: script, currency: script, item: { ...item, name: script } }),
      ),
    );
    await enter(code);
    await expect.element(page.getByRole('heading', { level: 3 })).toHaveTextContent(script);
    expect(document.querySelector('article :is(script, img[onerror])')).toBeNull();
  });

  test('while it is fetched the card is busy, and has no verdict yet', async () => {
    const { answer, card } = await submitted();
    expect(card?.getAttribute('aria-busy')).toBe('true');
    expect(kinds()).toEqual([]);
    answer.resolve(undefined);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.poll(() => card?.hasAttribute('aria-busy')).toBe(false);
  });

  test('it comes into the room that waits for it, without a step between', async () => {
    const { answer, card } = await submitted();
    const heights: number[] = [];
    const note = (): void => {
      const height = card?.getBoundingClientRect().height ?? 0;
      if (height !== heights.at(-1)) heights.push(height);
      if (card?.isConnected === true) requestAnimationFrame(note);
    };
    note();
    answer.resolve(undefined);
    const copy = page.getByRole('button', { name: 'Copy reply' });
    await expect.element(copy).toBeEnabled();
    await expect.poll(() => card?.hasAttribute('aria-busy')).toBe(false);
    // Two frames later nothing has come after them.
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    // What is below the card, and the popup's window, stay as they are.
    expect(heights).toEqual([406]);
  });

  test('a slow one is said to be slow, and can be stopped without a step of anything; then one key asks again', async () => {
    let times = 0;
    popup(async (asked) => {
      if ((times += 1) === 1) await new Promise(() => undefined);
      return genuine(asked);
    });
    await enter(code);
    await expect.element(page.getByText('Asking Market…')).toBeVisible();
    const section = document.querySelector('.answers');
    const tops = (): number[] =>
      [...(section?.querySelectorAll('article, h2, .verdict-card-why, .answer-outline') ?? [])]
        .map((each) => each.getBoundingClientRect())
        .flatMap(({ top, height }) => [top, height]);
    const before = tops();
    const stop = page.getByRole('button', { name: 'Stop' });
    await expect.element(stop, { timeout: 8000 }).toBeVisible();
    await expect.element(page.getByText('The answer is taking longer than usual.')).toBeVisible();
    expect(tops()).toEqual(before);
    const height = section?.getBoundingClientRect().height;

    await userEvent.keyboard('{Escape}');
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Stopped before Market answered');
    expect(kinds()).toEqual([]);
    expect(section?.getBoundingClientRect().height).toBe(height);
    // What was typed stays: this Escape was for the check.
    await expect.element(field).toHaveValue(code);
    // The next code can be pasted over it at once.
    await expect.element(field).toHaveFocus();
    const { selectionStart, selectionEnd } = field.element() as HTMLTextAreaElement;
    expect([selectionStart, selectionEnd]).toEqual([0, code.length]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveFocus();
    expect(document.querySelector('.answers')?.getBoundingClientRect().height).toBe(height);
  });

  test('several slow codes are stopped at once, and those whose turn had not come are not asked', async () => {
    const late = Promise.withResolvers<undefined>();
    const harness = popup(async (asked) => {
      if (asked.code !== code) return genuine(asked);
      await late.promise;
      return genuine(asked);
    });
    await enter(`${code} ${otherCode}`);
    const stop = page.getByRole('button', { name: 'Stop' });
    const place = (): number | undefined =>
      document.querySelector('.together')?.getBoundingClientRect().top;
    await expect.poll(place).toBeDefined();
    const before = place();
    await expect.element(stop, { timeout: 8000 }).toBeVisible();
    expect(place()).toBe(before);
    const tops = (): number[] =>
      [...document.querySelectorAll('article')].map((each) => each.getBoundingClientRect().top);
    const cards = tops();
    (stop.element() as HTMLElement).focus();
    await userEvent.keyboard('{Escape}');
    await expect.element(stop).not.toBeInTheDocument();
    expect(page.getByText('Stopped before Market answered').elements()).toHaveLength(2);
    expect(tops()).toEqual(cards);
    // The room for a reply stays, so that what is below stays in place, also while one of them is asked about again.
    const room = (): DOMRect | undefined =>
      document.querySelector('.together')?.getBoundingClientRect();
    expect(room()).toMatchObject({ top: before, height: 95 });
    expect(document.querySelector('.together')?.children).toHaveLength(0);
    await expect.element(field).toHaveFocus();
    late.resolve(undefined);
    await expect.element(field).toHaveFocus();
    await page.getByRole('button', { name: 'Try again' }).last().click();
    expect(room()?.top).toBe(before);
    await expect.poll(kinds).toEqual(['supported']);
    expect(tops()).toEqual(cards);
    expect(harness.bodies('check').map((body) => body.code)).toEqual([code, otherCode]);
  });

  test('where Stop was, nothing can be pressed for a moment once several slow codes are answered', async () => {
    const late = Promise.withResolvers<undefined>();
    popup(async (asked) => {
      await late.promise;
      return genuine(asked);
    });
    await enter(`${code} ${otherCode}`);
    await expect
      .element(page.getByRole('button', { name: 'Stop' }), { timeout: 8000 })
      .toBeVisible();
    late.resolve(undefined);
    await expect.element(page.getByRole('button', { name: 'One reply for all' })).toBeVisible();
    expect(isSeen('summary')).toBe(false);
    await expect.poll(() => isSeen('summary')).toBe(true);
  });

  test('a press on Stop that comes as the answer does copies nothing', async () => {
    const late = Promise.withResolvers<undefined>();
    popup(async (asked) => {
      await late.promise;
      return genuine(asked);
    });
    await enter(code);
    await expect
      .element(page.getByRole('button', { name: 'Stop' }), { timeout: 8000 })
      .toBeVisible();
    late.resolve(undefined);
    await expect.poll(() => isSeen('reply')).toBe(false);
    expect(isSeen('summary')).toBe(false);
    await expect.poll(() => isSeen('reply')).toBe(true);
    expect(isSeen('summary')).toBe(true);
    await enter(otherCode);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.poll(() => isSeen('reply')).toBe(true);
  });

  test('a second press on Stop does not copy a reply to the codes that were answered', async () => {
    popup((asked) => (asked.code === code ? genuine(asked) : new Promise(() => undefined)));
    await enter(`${code} ${otherCode}`);
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    await expect.poll(() => isSeen('reply')).toBe(false);
    expect(isSeen('summary')).toBe(false);
    await expect.poll(() => isSeen('reply')).toBe(true);
  });

  test('a reply to some of the codes is not called one for all, and where it was copied nothing else can be pressed for a moment', async () => {
    let isOffline = true;
    popup((asked) =>
      isOffline && asked.code === thirdCode ? faulty(asked, { kind: 'offline' }) : genuine(asked),
    );
    await enter(`${code} ${otherCode} ${thirdCode}`);
    await expect.element(page.getByRole('button', { name: 'Copy reply' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Copy summary' })).toBeVisible();
    isOffline = false;
    dispatchEvent(new Event('online'));
    await expect.element(page.getByRole('button', { name: 'One reply for all' })).toBeVisible();
    expect(isSeen('summary')).toBe(false);
    await expect.poll(() => isSeen('summary')).toBe(true);
    expect(page.getByRole('button', { name: 'One summary for all' }).elements()).toHaveLength(1);
  });

  test('several codes: one that failed is asked again in the place where one that was stopped is', async () => {
    let fails = true;
    popup((asked) => {
      if (asked.code === otherCode) return new Promise(() => undefined);
      return fails ? faulty(asked, { kind: 'server-error', status: 500 }) : genuine(asked);
    });
    await enter(`${code} ${otherCode}`);
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    const cards = [...document.querySelectorAll('article')];
    const places = (): (number | undefined)[][] =>
      cards.map((card) => {
        const button = [...card.querySelectorAll('button')].find(
          ({ textContent }) => textContent.trim() === 'Try again',
        );
        const { top = NaN, left } = button?.getBoundingClientRect() ?? {};
        return [top - card.getBoundingClientRect().top, left];
      });
    expect(places()[0]).toEqual(places()[1]);
    const heights = cards.map((card) => card.getBoundingClientRect().height);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect.poll(kinds).toEqual(['supported']);
    expect(cards.map((card) => card.getBoundingClientRect().height)).toEqual(heights);
    await expect.element(field).toHaveFocus();
  });

  test('several codes: a folded card tells a long wait in minutes', async () => {
    popup((asked) => faulty(asked, { kind: 'rate-limited', by: 'server', retryAt: now + 300_000 }));
    await enter(`${code} ${otherCode}`);
    await expect.element(page.getByText('Asking again in 5 minutes')).toBeVisible();
  });

  test('several codes: the focus ring of Refresh is inside the opened card, which would cut it', async () => {
    popup(genuine);
    await enter(`${code} ${otherCode}`);
    await page.getByRole('button', { name: 'Details' }).first().click();
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await expect.element(refresh).toBeVisible();
    (refresh.element() as HTMLElement).focus({ focusVisible: true });
    const { outlineOffset, outlineWidth } = getComputedStyle(refresh.element());
    const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    const card = refresh.element().closest('article')?.getBoundingClientRect();
    const button = refresh.element().getBoundingClientRect();
    expect(parseFloat(outlineWidth)).toBeGreaterThan(0);
    expect(button.bottom + reach).toBeLessThanOrEqual((card?.bottom ?? 0) - 1);
    expect(button.right + reach).toBeLessThanOrEqual((card?.right ?? 0) - 1);
  });

  test('what could not be asked without a network is asked again once there is one', async () => {
    let isOffline = true;
    popup((asked) => (isOffline ? faulty(asked, { kind: 'offline' }) : genuine(asked)));
    await enter(code);
    await expect.poll(kinds).toEqual(['fault']);
    isOffline = false;
    dispatchEvent(new Event('online'));
    await expect.poll(kinds).toEqual(['supported']);
  });

  test('a slow refresh can be stopped: the answer stays, and says why it is no newer', async () => {
    popup(async (asked) => {
      if (asked.fresh) await new Promise(() => undefined);
      return genuine(asked);
    });
    await enter(code);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const height = document.querySelector('.answers')?.getBoundingClientRect().height;
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    await expect.element(page.getByText('Stopped before Market answered')).toBeVisible();
    expect(kinds()).toEqual(['supported']);
    expect(verdicts()[0]?.hasAttribute('aria-busy')).toBe(false);
    expect(document.querySelector('.answers')?.getBoundingClientRect().height).toBe(height);
    await expect.element(field).toHaveFocus();
  });

  test('All: one that was stopped may know the code that the others do not', async () => {
    popup(
      (asked) => (asked.connectionId === 'demo' ? new Promise(() => undefined) : notFound(asked)),
      { connections: [connection(), demo] },
    );
    await enter(code);
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Stopped before Demo answered');
    expect(kinds()).toEqual([]);
  });

  test('a refresh asks the server again and keeps the old verdict meanwhile', async () => {
    const answer = Promise.withResolvers<undefined>();
    const harness = popup(async (asked) => {
      if (asked.fresh) await answer.promise;
      return { ...genuine(asked), cached: !asked.fresh };
    });
    await enter(code);
    await expect.poll(() => document.querySelector('[data-cached]')).not.toBeNull();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => verdicts()[0]?.getAttribute('aria-busy')).toBe('true');
    expect(kinds()).toEqual(['supported']);
    answer.resolve(undefined);
    await expect.poll(() => verdicts()[0]?.hasAttribute('aria-busy')).toBe(false);
    expect(harness.bodies('check').at(-1)).toMatchObject({ fresh: true });
    expect(document.querySelector('[data-cached]')).toBeNull();
  });

  test('it is said aloud', async () => {
    popup(genuine);
    await enter(code);
    await expect
      .element(page.getByRole('status').filter({ hasText: 'Market: Supported until' }))
      .toBeInTheDocument();
  });
});

describe('several at once', () => {
  const both = { connections: [connection(), demo] };
  const others = (): HTMLElement | null => document.querySelector('.other-answers');

  test('All is the default, and one code gives one verdict: the hit leads, the others fold', async () => {
    popup((asked) => (asked.connectionId === 'demo' ? genuine(asked) : notFound(asked)), both);
    const select = page.getByRole('combobox', { name: 'Connection' });
    await expect.element(select).toHaveTextContent('MarketDemoAll');
    await expect.element(select).toHaveValue('all');
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.poll(() => others()?.querySelector('summary')?.textContent).toBe('Not on Market');
    expect(others()?.closest('[data-tone]')?.getAttribute('data-tone')).toBe('good');
    await page.getByText('Not on Market').click();
    await expect.element(page.getByText('Invalid purchase code')).toBeVisible();
    expect(kinds()).toEqual(['supported']);
  });

  test('All: each connection that is asked is named', async () => {
    const late = Promise.withResolvers<undefined>();
    popup(async (asked) => {
      await late.promise;
      return genuine(asked);
    }, both);
    await enter(code);
    await expect
      .element(page.getByRole('heading', { name: 'Asking Market and Demo…' }))
      .toBeVisible();
    late.resolve(undefined);
    await expect.poll(kinds).toEqual(['supported']);
  });

  test('All: a hit is shown before the others have answered, a not-found is not', async () => {
    const late = Promise.withResolvers<undefined>();
    popup(async (asked) => {
      if (asked.connectionId === 'demo') await late.promise;
      return asked.code === code ? genuine(asked) : notFound(asked);
    }, both);
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    await expect.poll(() => verdicts()[0]?.hasAttribute('aria-busy')).toBe(false);
    await expect.poll(() => others()?.textContent).toContain('Asking Demo');
    await enter(otherCode);
    await expect.element(page.getByRole('heading', { name: 'Asking Demo…' })).toBeVisible();
    expect(kinds()).toEqual([]);
    expect(document.querySelector('article')?.getAttribute('aria-busy')).toBe('true');
    late.resolve(undefined);
    await expect.poll(kinds).toEqual(['not-found']);
  });

  test('All: a fault decides over a not-found, and offers its own next step', async () => {
    popup(
      (asked) =>
        asked.connectionId === 'demo' ? faulty(asked, { kind: 'unreachable' }) : notFound(asked),
      both,
    );
    await enter(code);
    await expect.poll(kinds).toEqual(['fault']);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('Demo could not be reached');
    await expect.poll(() => others()?.querySelector('summary')?.textContent).toBe('Not on Market');
  });

  test('All: the faults of the others are said beside a hit, with their next steps', async () => {
    let times = 0;
    const harness = popup(
      (asked) =>
        asked.connectionId === 'demo' && (times += 1) === 1
          ? faulty(asked, { kind: 'unreachable' })
          : genuine(asked),
      both,
    );
    await enter(code);
    await expect.poll(kinds).toEqual(['supported']);
    await page.getByText('Demo could not be reached').first().click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText(/^Also on Demo: Supported until/)).toBeVisible();
    expect(harness.bodies('check').map(({ connectionId }) => connectionId)).toEqual([
      'market',
      'demo',
      'demo',
    ]);
    expect(kinds()).toEqual(['supported']);
  });

  test('All: a fault that every connection has is said once', async () => {
    popup((asked) => faulty(asked, { kind: 'locked' }), both);
    await enter(code);
    await expect.poll(kinds).toEqual(['fault']);
    await expect.element(page.getByLabelText('Passphrase')).toBeVisible();
    expect(others()).toBeNull();
  });

  test('All: two faults are one sentence that says what to do, and each is told below it', async () => {
    let isBroken = true;
    const harness = popup((asked) => {
      if (!isBroken) return genuine(asked);
      const isDemo = asked.connectionId === 'demo';
      return faulty(
        asked,
        isDemo ? { kind: 'server-error', status: 500 } : { kind: 'unreachable' },
      );
    }, both);
    await enter(code);
    const heading = page.getByRole('heading', { level: 2 });
    await expect
      .element(heading)
      .toHaveTextContent('No answer from Market or Demo: try again in a moment');
    await expect.element(page.getByText('Market could not be reached')).toBeVisible();
    await expect.element(page.getByText('Demo is having a problem')).toBeVisible();
    await expect.element(page.getByText('Its server answered with error 500.')).toBeVisible();
    expect(others()).toBeNull();
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(kinds).toEqual(['supported']);
    expect(harness.bodies('check')).toHaveLength(4);
  });

  test('All: where a fault needs the agent, the sentence says so, and its step is beside it', async () => {
    const harness = popup(
      (asked) =>
        faulty(
          asked,
          asked.connectionId === 'demo' ? { kind: 'api-off' } : { kind: 'unreachable' },
        ),
      both,
    );
    await enter(code);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('No answer from Market or Demo: see below what helps');
    await page.getByRole('button', { name: 'Open settings' }).click();
    expect(harness.events).toContain('options');
    expect(page.getByRole('button', { name: 'Try again' }).elements()).toHaveLength(1);
  });

  test('All: where both are asked again after a wait, nobody has to', async () => {
    const wait = { kind: 'rate-limited', retryAt: now + 42_000, by: 'server' } as const;
    popup((asked) => faulty(asked, wait), both);
    await enter(code);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('No answer from Market or Demo yet: Counterfoil will ask again');
    await expect.poll(() => page.getByRole('timer').elements()).toHaveLength(2);
    expect(page.getByRole('button', { name: 'Try again' }).elements()).toEqual([]);
  });

  test('All: it is said aloud once', async () => {
    const announced: string[] = [];
    popup((asked) => (asked.connectionId === 'demo' ? genuine(asked) : notFound(asked)), both);
    await expect.element(field).toHaveFocus();
    await expect.poll(() => document.querySelector('output')).not.toBeNull();
    const region = document.querySelector('output');
    if (region === null) throw new Error('There is no live region.');
    new MutationObserver(() => announced.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    await enter(code);
    await expect.poll(() => others()?.querySelector('summary')?.textContent).toBe('Not on Market');
    expect(announced.filter((text) => text !== '')).toEqual(['Demo: Supported until Mar 12, 2027']);
  });

  test('All: where nobody knows the code, that is one verdict about all of them', async () => {
    popup(notFound, both);
    await enter(code);
    await expect.poll(kinds).toEqual(['not-found']);
    await expect
      .element(page.getByRole('heading', { level: 2 }))
      .toHaveTextContent('No such purchase on these accounts');
    await expect.poll(() => others()?.querySelector('summary')?.textContent).toBe('Not on Demo');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => verdicts()[0]?.hasAttribute('aria-busy')).toBe(false);
    await expect
      .element(page.getByRole('button', { name: 'Ask the other connections too' }))
      .not.toBeInTheDocument();
  });

  test('All: what is copied of a code that nobody knows names everybody who was asked', async () => {
    const { copied } = popup(notFound, both);
    await enter(code);
    await expect.poll(kinds).toEqual(['not-found']);
    await expect
      .poll(() => verdicts()[0]?.querySelector('footer')?.textContent)
      .toContain('Market and Demo');
    await page.getByRole('button', { name: 'Copy summary' }).click();
    await expect.poll(() => copied).toHaveLength(1);
    expect(copied[0]).toMatch(/^No such purchase on these accounts\n/u);
    expect(copied[0]).toContain('Asked: Market and Demo, ');
  });

  test('a not-found of one chosen connection offers to ask the others too', async () => {
    const harness = popup(
      (asked) => (asked.connectionId === 'demo' ? genuine(asked) : notFound(asked)),
      { ...both, preferences: { connection: 'market' } },
    );
    await enter(code);
    await expect.poll(kinds).toEqual(['not-found']);
    await page.getByRole('button', { name: 'Ask the other connections too' }).click();
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveFocus();
    expect(harness.bodies('check').map(({ connectionId }) => connectionId)).toEqual([
      'market',
      'demo',
    ]);
    await expect.element(page.getByRole('combobox', { name: 'Connection' })).toHaveValue('market');
  });

  test('one connection needs no select, and its name is there', async () => {
    popup(genuine);
    await expect.element(page.getByText('Market')).toBeVisible();
    expect(document.querySelector('select')).toBeNull();
  });

  test('several codes are listed, each folded to its sentence, and open on demand', async () => {
    popup((asked) => (asked.code === code ? genuine(asked) : notFound(asked)));
    await enter(`first ${code}\nthen ${otherCode}`);
    await expect.poll(kinds).toEqual(['supported', 'not-found']);
    expect([...document.querySelectorAll('h2.code')].map((each) => each.textContent)).toEqual([
      code,
      otherCode,
    ]);
    expect(document.querySelector('dl')).toBeNull();
    const second = verdicts().map((each) => each.querySelector('h2 + p')?.textContent ?? '');
    expect(second.map(withoutIsolates)).toEqual(['Orbit CRM Market ', 'Market ']);
    await page.getByRole('button', { name: 'Details' }).first().click();
    await expect.element(page.getByText('$29.00')).toBeVisible();
  });

  test('a folded card says when its code is asked about again', async () => {
    const wait = { kind: 'rate-limited', retryAt: now + 42_000, by: 'server' } as const;
    popup((asked) => faulty(asked, wait));
    await enter(`${code}\n${otherCode}`);
    await expect.element(page.getByText(/Asking again in 4\d s/u)).toBeVisible();
  });

  test('what is opened behind the buttons to all codes comes into sight', async () => {
    await page.viewport(384, 420);
    popup(genuine);
    await enter([code, otherCode, thirdCode].join('\n'));
    await expect.poll(kinds).toEqual(['supported', 'supported', 'supported']);
    const last = (): DOMRect | undefined => verdicts().at(-1)?.getBoundingClientRect();
    const bar = document.querySelector('.together');
    await expect.poll(() => bar?.querySelector('button')).not.toBeNull();
    document.querySelectorAll<HTMLElement>('.answer-toggle')[2]?.click();
    await expect.poll(() => verdicts().at(-1)?.querySelector('dl')).not.toBeNull();
    await expect
      .poll(() => last()?.bottom)
      .toBeLessThanOrEqual(bar?.getBoundingClientRect().top ?? 0);
  });

  test('a long English name on a folded card is cut at its own end on a page that reads from the right', async () => {
    document.documentElement.dir = 'rtl';
    onTestFinished(() => {
      document.documentElement.dir = '';
    });
    popup((asked) =>
      Promise.resolve(
        genuine(asked, purchase({ item: { ...item, name: 'Orbit CRM, '.repeat(20) } })),
      ),
    );
    await enter(`${code}\n${otherCode}`);
    await expect.poll(kinds).toEqual(['supported', 'supported']);
    const name = [...(verdicts()[0]?.querySelectorAll('bdi') ?? [])].find((each) =>
      each.textContent.startsWith('Orbit'),
    );
    const first = document.createRange();
    first.setStart(name?.firstChild ?? document.body, 0);
    first.setEnd(name?.firstChild ?? document.body, 1);
    const card = verdicts()[0]?.getBoundingClientRect();
    expect(first.getBoundingClientRect().left).toBeGreaterThan(card?.left ?? Infinity);
  });

  test('the cards of several codes keep their height, and only the one that is asked about spins', async () => {
    const last = Promise.withResolvers<undefined>();
    popup(async (asked) => {
      if (asked.code !== code) await last.promise;
      return genuine(asked, purchase({ item: { ...item, name: 'Orbit CRM, '.repeat(20) } }));
    });
    await enter([code, otherCode, thirdCode].join('\n'));
    await expect.poll(kinds).toEqual(['supported']);
    const tops = (): (number | undefined)[] =>
      [...document.querySelectorAll('.answers')].map((each) => each.getBoundingClientRect().top);
    const before = tops();
    const spins = [...document.querySelectorAll('.answers')].map(
      (each) => each.querySelector('.spin') !== null,
    );
    expect(spins).toEqual([false, true, false]);
    last.resolve(undefined);
    await expect.poll(kinds).toEqual(['supported', 'supported', 'supported']);
    expect(tops()).toEqual(before);
  });

  test('four codes and their reply are seen whole in the largest popup, and no card moves as they are answered or stopped', async () => {
    const codes = ['ece1', 'ece2', 'ece3', 'ece4'].map((end) => code.slice(0, -4) + end);
    const last = Promise.withResolvers<undefined>();
    const lapsed = purchase({ supportedUntil: now - 310 * day });
    popup(async (asked) => {
      if (asked.code === codes[3]) await last.promise;
      return asked.code === codes[2] ? notFound(asked) : genuine(asked, lapsed);
    });
    await enter(codes.join('\n'));
    await expect.poll(kinds).toEqual(['lapsed', 'lapsed', 'not-found']);
    const cards = (): { top: number; height: number }[] =>
      [...document.querySelectorAll('article')].map((card) => {
        const { top, height } = card.getBoundingClientRect();
        return { top, height };
      });
    const before = cards();
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(cards()).toEqual(before);
    // The reply is not for all codes, so it says for which ones it is.
    const said = document.querySelector('.together-codes')?.textContent ?? '';
    expect(withoutIsolates(said.trim())).toBe('3 codes: 8678…ece1 · 8678…ece2 · 8678…ece3');
    last.resolve(undefined);
    await page.getByRole('button', { name: 'Try again' }).click();
    const reply = page.getByRole('button', { name: 'One reply for all' });
    await expect.element(reply).toBeVisible();
    await expect.poll(kinds).toHaveLength(4);
    expect(cards()).toEqual(before);
    expect(document.querySelector('.together-codes')).toBeNull();
    expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(600);
    const foot = document.querySelector('.together')?.getBoundingClientRect();
    const end = before.at(-1);
    expect((end?.top ?? Infinity) + (end?.height ?? 0)).toBeLessThanOrEqual(foot?.top ?? 0);
  });

  test.each([384, 480])(
    '%i px wide, their reply is as high as the room that waits for it',
    async (width) => {
      await page.viewport(width, 600);
      const last = Promise.withResolvers<undefined>();
      popup(async (asked) => {
        await last.promise;
        return genuine(asked);
      });
      await enter(`${code} ${otherCode}`);
      const heightOf = (): number | undefined =>
        document.querySelector('.together')?.getBoundingClientRect().height;
      await expect.poll(heightOf).toBeDefined();
      const room = heightOf();
      last.resolve(undefined);
      await expect.element(page.getByRole('button', { name: 'One reply for all' })).toBeVisible();
      expect(heightOf()).toBe(room);
    },
  );

  test('beside a ticket what is below several codes stays in place, whether some or all of them are answered', async () => {
    await page.viewport(360, 665);
    let answers = 1;
    popup((asked) => ((answers -= 1) < 0 ? new Promise(() => undefined) : genuine(asked)), {
      ports: (app) =>
        app.provide(replyFieldPort, {
          isOffered: () => true,
          insert: () => Promise.resolve('inserted'),
        }),
    });
    await enter(`${code} ${otherCode} ${thirdCode}`);
    const heightOf = (): number | undefined =>
      document.querySelector('.together')?.getBoundingClientRect().height;
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 8000 });
    await expect.element(page.getByRole('button', { name: 'Insert reply' })).toBeVisible();
    const room = heightOf();
    answers = 1;
    const again = page.getByRole('button', { name: 'Try again' });
    await again.first().click();
    await expect.poll(() => again.elements()).toHaveLength(1);
    expect(heightOf()).toBe(room);
    answers = 1;
    await again.click();
    expect(heightOf()).toBe(room);
    await expect.element(page.getByRole('button', { name: 'One reply for all' })).toBeVisible();
    expect(heightOf()).toBe(room);
  });

  test('of many it is told how far their check is, until one reply for all takes its place', async () => {
    const last = Promise.withResolvers<undefined>();
    const codes = [1, 2, 3, 4, 5].map((digit) => code.slice(0, -1) + String(digit));
    popup(async (asked) => {
      if (asked.code === codes[4]) await last.promise;
      return genuine(asked);
    });
    await enter(codes.join('\n'));
    await expect.poll(() => document.querySelector('progress')?.value).toBe(4);
    expect(document.querySelector('progress')?.labels[0]?.textContent.trim()).toBe('4 of 5');
    last.resolve(undefined);
    await expect.element(page.getByRole('button', { name: 'One reply for all' })).toBeVisible();
    await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  });
});

describe('text that is no code', () => {
  test.each([
    ['Dear support, nothing works.', 'There is no purchase code in this text'],
    [`${'a'.repeat(60)}.${'b'.repeat(86)}`, 'This is a license, not a purchase code'],
  ])('%s', async (text, sentence) => {
    const harness = popup(genuine);
    await enter(text);
    await expect.element(page.getByRole('heading', { level: 2 })).toHaveTextContent(sentence);
    expect(harness.events).not.toContain('check');
  });

  test('an odd one is asked about; where it is not found, one sentence says what is odd', async () => {
    popup((asked) => (asked.code === '1234567890' ? notFound(asked) : genuine(asked)));
    await enter('1234567890');
    await expect.poll(kinds).toEqual(['not-found']);
    expect(document.querySelector('.spelling-hint')?.textContent.trim()).toBe(
      'A code made only of digits may be an order number.',
    );
    await enter('LIC-2026-00071');
    await expect.poll(kinds).toEqual(['supported']);
    expect(document.querySelector('.spelling-hint')).toBeNull();
  });
});

test.each([
  [code.slice(0, -1), 'Too short: 31 of 32 digits and letters'],
  [`${code}0`, 'Too long: 33 digits and letters, not 32'],
])('the length of %s is the first thing said, then that nobody knows it', async (odd, sentence) => {
  popup(notFound);
  await enter(odd);
  await expect.element(page.getByRole('heading', { level: 2 })).toHaveTextContent(sentence);
  await expect.element(page.getByText('No such purchase on this account')).toBeVisible();
  expect(kinds()).toEqual(['not-found']);
  expect(document.querySelector('.spelling-hint')).toBeNull();
  await expect
    .element(page.getByRole('status').filter({ hasText: `Market: ${sentence}` }))
    .toBeInTheDocument();
});

describe('corrections', () => {
  const mistyped = code.replace('1', 'l');

  test('a likely spelling is one button away: it fills the field and checks', async () => {
    const harness = popup((asked) => (asked.code === code ? genuine(asked) : notFound(asked)));
    await enter(mistyped);
    await page.getByRole('button', { name: `Did you mean ${code}?` }).click();
    await expect.poll(kinds).toEqual(['supported']);
    await expect.element(field).toHaveValue(code);
    await expect.element(field).toHaveFocus();
    expect(harness.bodies('check').map((body) => body.code)).toEqual([mistyped, code]);
    expect(document.querySelector('.spelling-hint')).toBeNull();
  });

  test.each([mistyped, code.toUpperCase()])(
    'nothing is offered for %s after a fault',
    async (typed) => {
      popup((asked) => faulty(asked, { kind: 'locked' }));
      await enter(typed);
      await expect.poll(kinds).toEqual(['fault']);
      expect(document.querySelector('.spelling-hint > button')).toBeNull();
    },
  );

  test('of several codes the one is replaced, and the others stay', async () => {
    popup((asked) => (asked.code === mistyped ? notFound(asked) : genuine(asked)));
    await paste(`Purchase code: ${mistyped}\nand ${otherCode}`);
    await userEvent.keyboard('{Enter}');
    await page.getByRole('button', { name: `Did you mean ${code}?` }).click();
    await expect.element(field).toHaveValue(`${code}\n${otherCode}`);
    await expect.poll(kinds).toEqual(['supported', 'supported']);
  });

  test('a spelling that the worker has asked about as well is not offered', async () => {
    popup(notFound);
    await enter(code.replaceAll('-', ''));
    await expect.poll(kinds).toEqual(['not-found']);
    expect(document.querySelector('.spelling-hint')?.textContent.trim()).toBe(
      'The dashes are in unusual places.',
    );
  });

  test('the spelling it was found as goes into the field', async () => {
    const typed = code.replaceAll('-', '');
    popup((asked) =>
      asked.code === typed ? { ...genuine(asked), foundSpelling: code } : genuine(asked),
    );
    await enter(typed);
    const spelling = page.getByRole('button', { name: code });
    await expect.element(spelling).toBeVisible();
    expect(getComputedStyle(spelling.element()).fontFamily).toMatch(/mono/u);
    await spelling.click();
    await expect.element(field).toHaveValue(code);
    await expect.poll(() => document.querySelector('[data-found-as]')).toBeNull();
  });
});

describe('copying', () => {
  test('the summary masks the code; the whole code is a choice', async () => {
    const harness = popup(genuine);
    await enter(code);
    await page.getByRole('button', { name: 'Copy summary' }).click();
    await page.getByRole('button', { name: 'More ways to copy' }).click();
    await page.getByRole('menuitem', { name: 'With full code' }).click();
    await expect.poll(() => harness.copied.length).toBe(2);
    const [masked, whole] = harness.copied;
    expect(masked).not.toContain(code);
    expect(masked).toContain('8678');
    expect(whole?.split('\n')).toEqual([
      'Supported until Mar 12, 2027 (3 months left, bought on this account)',
      `Code: ${code}`,
      'Item: Orbit CRM 2.4.1 (id 12)',
      'License: Regular',
      'Paid: $29.00',
      'Bought: 2026-01-15 09:30:00 UTC',
      'Supported until: 2027-03-12 12:00:00 UTC',
      'Downloaded: Yes',
      'Asked: Market, 2026-11-20 12:00:00 UTC',
    ]);
  });

  test('a not-found is copied with the server’s words and a masked code', async () => {
    const harness = popup(notFound);
    await enter(code);
    await page.getByRole('button', { name: 'Copy summary' }).click();
    await expect.poll(() => harness.copied.length).toBe(1);
    expect(harness.copied[0]).toMatch(/^No such purchase on this account\nCode: 8678.*\nAnswer: /);
    expect(harness.copied[0]).not.toContain(code);
  });

  test('where the browser does not copy, that can be read', async () => {
    popup(genuine, { ports: (app) => app.provide(copyPort, () => Promise.resolve(false)) });
    await enter(code);
    await page.getByRole('button', { name: 'Copy summary' }).click();
    const said = page.getByText('The browser could not copy it', { exact: true });
    await expect.element(said).toBeVisible();
    expect(said.element().getBoundingClientRect().width).toBeGreaterThan(100);
  });

  test('the texts of replies are there before a code is, so that no button moves once it is drawn', async () => {
    let loads = 0;
    const load = async (): Promise<ReplyCatalogue> => {
      loads += 1;
      return Promise.resolve(english as ReplyCatalogue);
    };
    popup(genuine, { ports: (app) => app.provide(replyCataloguesKey, { en: load }) });
    await expect.poll(() => loads).toBeGreaterThan(0);
  });

  test('several codes have one summary and one reply together', async () => {
    const harness = popup((asked) => (asked.code === code ? genuine(asked) : notFound(asked)));
    await enter(`${code} ${otherCode}`);
    await page.getByRole('button', { name: 'One summary for all' }).click();
    // One reply is the one to be used, and one button says so.
    const main = page.getByRole('main').element();
    expect(
      [...main.querySelectorAll('[data-enter]')].map(({ textContent }) => textContent.trim()),
    ).toEqual(['One reply for all']);
    const primary = [...main.querySelectorAll('.verdict-actions .button.primary')];
    expect(new Set(primary.map((each) => each.closest('.verdict-actions'))).size).toBe(1);
    await page.getByRole('button', { name: 'One reply for all' }).click();
    await expect.poll(() => harness.copied.length).toBe(2);
    const [summary = '', reply = ''] = harness.copied;
    const parts = summary.split('\n\n');
    expect(parts.map((part) => part.split('\n')[0])).toEqual([
      'Supported until Mar 12, 2027 (3 months left, bought on this account)',
      'No such purchase on this account',
    ]);
    expect(reply.match(/^Hello,$/gm)).toHaveLength(1);
    expect(reply.match(/^Kind regards$/gm)).toHaveLength(1);
    expect(reply).toContain('your purchase of Orbit CRM is confirmed');
    expect(reply).toContain('We could not find the purchase code');
    expect(reply).not.toContain(code);
  });

  test('an agent who wants whole codes gets them first', async () => {
    const harness = popup(genuine, { preferences: { maskCodes: false } });
    await enter(code);
    await page.getByRole('button', { name: 'Copy summary' }).click();
    await expect.poll(() => harness.copied[0]).toContain(code);
  });
});

describe('pictures', () => {
  const picture = (): HTMLImageElement | null => document.querySelector('img');

  test('come without a referrer', async () => {
    const policies: string[] = [];
    // A picture that does not load, as here, soon gives way to a letter.
    const added = new MutationObserver(() => {
      const { referrerPolicy } = picture() ?? {};
      if (referrerPolicy !== undefined) policies.push(referrerPolicy);
    });
    added.observe(document.body, { childList: true, subtree: true });
    popup(genuine, {
      preferences: { pictures: true },
      connections: [connection()],
    });
    await field.fill(code);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Regular')).toBeVisible();
    await expect.poll(() => new Set(policies)).toEqual(new Set(['no-referrer']));
    added.disconnect();
  });

  test('switched off, none is asked for', async () => {
    popup(genuine, { preferences: { pictures: false } });
    await enter(code);
    await expect.element(page.getByText('Regular')).toBeVisible();
    expect(picture()).toBeNull();
  });
});

test('the verifier is one click away', async () => {
  popup(genuine);
  const link = page.getByRole('link', { name: 'License verifier' });
  await expect.element(link).toHaveAttribute('href', 'verifier.html');
});

test('the first use leads to the options', async () => {
  const harness = popup(genuine, { connections: [] });
  const start = page.getByRole('button', { name: 'Set up Counterfoil' });
  await expect.element(start).toBeVisible();
  const { top } = start.element().getBoundingClientRect();
  await enter(code);
  await expect.element(page.getByText(/^Your code waits here/u)).toBeVisible();
  expect(start.element().getBoundingClientRect().top).toBe(top);
  await start.click();
  expect(harness.events).toContain('options connect');
});

test('the item’s name is the one link to it', async () => {
  popup(genuine);
  await enter(code);
  const link = page.getByRole('link', { name: 'Orbit CRM' });
  await expect.element(link).toHaveAttribute('href', 'desk.html#/items/market/12');
  expect(document.querySelectorAll('[data-verdict] a')).toHaveLength(1);
});

test('a fault is a fault to the handles, with its kind', async () => {
  popup((asked) => faulty(asked, { kind: 'timeout', afterMs: 10_000 }));
  await enter(code);
  await expect.poll(kinds).toEqual(['fault']);
  expect(verdicts()[0]?.dataset['fault']).toBe('timeout');
});
