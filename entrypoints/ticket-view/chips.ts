import { createMarks, type Mark } from '#entrypoints/ticket-view/code-marks';
import { createOverlay, type DrawnChip } from '#entrypoints/ticket-view/overlay';
import { chipPositionOf } from '#entrypoints/ticket-view/chip-position';
import { startScan } from '#entrypoints/ticket-view/scan';
import { createTextRules } from '#entrypoints/ticket-view/text-rules';
import type { AskFromPage, ChipsHandle } from '#entrypoints/ticket-view/script-globals';
import type { Chip, TicketScriptSettings } from '#messaging/ticket/protocol';

/** Chips that are drawn at once: more of them would cover each other. */
const mostDrawn = 60;
/** Milliseconds between two automatic checks, and after the worker would not answer. */
const checkPause = 300;
const refusedPause = 20_000;
/** How long an opened code is shown as being asked about. */
const openPatience = 12_000;
/** Positions are looked at again, in case something moved unnoticed. */
const lookAgain = 1000;
/** After a change of the page, and so many times as long as the last layout took: so it stays below 2 % of a core. */
const changePause = 60;
const layoutRatio = 80;

/** Shows a chip beside each code in this document, until it is told to end. */
export function showChips(
  {
    automatic,
    patterns,
    never,
    withinLines,
    notes,
    blank,
    busy,
    style,
    size,
  }: TicketScriptSettings,
  ask: AskFromPage,
): ChipsHandle {
  const overlay = createOverlay(style);
  const known = new Map<string, Chip>();
  const drawn = new Map<Mark, DrawnChip>();
  const near = new Set<Mark>();
  const byElement = new Map<Element, Set<Mark>>();
  const waiting = new Set<string>();
  let checking = false;
  let frame: number | undefined;
  let layoutTimer: ReturnType<typeof setTimeout> | undefined;
  let changing: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds that the last layout took. */
  let cost = 0;
  let ended = false;

  const nearness = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        for (const mark of byElement.get(target) ?? []) {
          if (isIntersecting) near.add(mark);
          else hide(mark);
        }
      changed();
    },
    { rootMargin: '120px' },
  );
  const resized = new ResizeObserver(changed);

  const rules = createTextRules({ never, withinLines, notes });
  const marks = createMarks(
    (text) => rules.isTicketText(text),
    (mark) => {
      const element = mark.to.parentElement;
      if (element === null) {
        near.add(mark);
        return;
      }
      const here = byElement.get(element);
      if (here === undefined) {
        byElement.set(element, new Set([mark]));
        nearness.observe(element);
        resized.observe(element);
      } else {
        here.add(mark);
        // The observer has spoken about this element already, and may not again.
        near.add(mark);
      }
      changed();
    },
    (mark) => {
      hide(mark);
      for (const [element, here] of byElement) {
        if (!here.delete(mark) || here.size > 0) continue;
        byElement.delete(element);
        nearness.unobserve(element);
        resized.unobserve(element);
      }
    },
  );

  function hide(mark: Mark): void {
    near.delete(mark);
    drawn.get(mark)?.remove();
    drawn.delete(mark);
  }

  function layoutSoon(): void {
    if (ended || near.size + drawn.size === 0) return;
    frame ??= requestAnimationFrame(layout);
  }

  /** All that is read of the page comes first, and all that is written after it: one layout for all chips. */
  function layout(): void {
    frame = undefined;
    const started = performance.now();
    marks.prune();
    overlay.settle();
    const places = [...near]
      .slice(0, mostDrawn)
      .map((mark) => ({ mark, position: chipPositionOf(mark, overlay.host, size) }));
    for (const { mark, position } of places) {
      let chip = drawn.get(mark);
      if (chip === undefined) {
        if (position === undefined) continue;
        chip = overlay.add(() => {
          open(mark.code);
        });
        drawn.set(mark, chip);
        chip.show(known.get(mark.code) ?? blank, mark.code);
      }
      chip.moveTo(position);
      if (automatic && position !== undefined && !known.has(mark.code)) waiting.add(mark.code);
    }
    if (waiting.size > 0) void checkWaiting();
    clearTimeout(layoutTimer);
    cost = performance.now() - started;
    layoutTimer = setTimeout(layoutSoon, Math.max(lookAgain, cost * layoutRatio));
  }

  /** A page that changes all the time is not laid out for each change, and the less often the dearer it is. */
  function changed(): void {
    if (ended || near.size + drawn.size === 0) return;
    changing ??= setTimeout(
      () => {
        changing = undefined;
        layoutSoon();
      },
      Math.max(changePause, cost * layoutRatio),
    );
  }

  function show(code: string, chip: Chip): void {
    known.set(code, chip);
    for (const [mark, one] of drawn) if (mark.code === code) one.show(chip, code);
  }

  function open(code: string): void {
    void ask('ticket.open', { code });
    if (known.has(code)) return;
    show(code, busy);
    setTimeout(() => {
      if (known.get(code) !== busy) return;
      known.delete(code);
      for (const [mark, one] of drawn) if (mark.code === code) one.show(blank, code);
    }, openPatience);
  }

  /** One after the other, with a pause: the agent's own checks come first. */
  async function checkWaiting(): Promise<void> {
    if (checking) return;
    checking = true;
    for (const code of waiting) {
      waiting.delete(code);
      if (document.visibilityState === 'hidden' || known.has(code)) continue;
      show(code, busy);
      const chip = await ask('ticket.check', { code });
      show(code, chip ?? blank);
      if (!chip) known.delete(code);
      await pause(chip ? checkPause : refusedPause);
      if (ended) return;
    }
    checking = false;
  }

  const least = Math.min(8, ...patterns.map(({ length }) => length));
  const scan = startScan({
    rules,
    least,
    read: (passage) => marks.read(passage, patterns),
    changed,
  });
  const moves = ['scroll', 'resize', 'load', 'transitionend'];
  for (const move of moves) addEventListener(move, layoutSoon, { capture: true, passive: true });
  resized.observe(document.documentElement);
  scan.look(document);

  return {
    checked: show,
    end() {
      ended = true;
      scan.end();
      nearness.disconnect();
      resized.disconnect();
      for (const move of moves) removeEventListener(move, layoutSoon, { capture: true });
      clearTimeout(layoutTimer);
      clearTimeout(changing);
      if (frame !== undefined) cancelAnimationFrame(frame);
      overlay.end();
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
