import { notesFor } from '#core/ticket/site-notes';
import { createAutomaticChecks } from '#entrypoints/ticket-view/automatic-checks';
import { createChipPlaces } from '#entrypoints/ticket-view/chip-places';
import { chipSize, chipStyle } from '#entrypoints/ticket-view/chip-style';
import { createChipSteps } from '#entrypoints/ticket-view/chip-steps';
import { createMarks, type Mark } from '#entrypoints/ticket-view/code-marks';
import { createDrawnChips } from '#entrypoints/ticket-view/drawn-chips';
import { scheduleLayouts } from '#entrypoints/ticket-view/layout-schedule';
import { trackNearMarks } from '#entrypoints/ticket-view/near-marks';
import { createOverlay } from '#entrypoints/ticket-view/overlay';
import { startScan } from '#entrypoints/ticket-view/scan';
import type { AskFromPage, ChipsHandle } from '#entrypoints/ticket-view/script-globals';
import { createTextRules } from '#entrypoints/ticket-view/text-rules';
import type { TicketScriptSettings } from '#messaging/topics/ticket';

/** Milliseconds for which a code that was clicked is shown as being checked. */
const openTimeoutMs = 12_000;
/** Characters of the shortest code that is found without a pattern of its own. */
const minCodeLength = 8;

/** Shows a chip beside each code in this document until `end` is called. */
export function showChips(settings: TicketScriptSettings, ask: AskFromPage): ChipsHandle {
  const { automatic, patterns, blank, busy } = settings;
  const overlay = createOverlay(chipStyle, chipSize);
  const places = createChipPlaces(overlay.host, chipSize);
  const chips = createDrawnChips(overlay, blank, { open, left: leave });
  const checks = createAutomaticChecks(chips, ask, busy);
  const schedule = scheduleLayouts(layout, () => near.marks.size + chips.count > 0);
  const near = trackNearMarks({ changed: schedule.changed, left: chips.remove });
  const rules = createTextRules(notesFor(settings.origin));
  const marks = createMarks((text) => rules.isTicketText(text), near.add, near.remove);

  /** Reads all positions first and writes after that, so that the page is laid out once for all chips. */
  function layout(onlyScrolled: boolean, stepped?: Mark): void {
    marks.prune();
    overlay.prepare();
    if (!onlyScrolled) places.forget();
    const candidates = new Set(near.marks);
    if (stepped !== undefined) candidates.add(stepped);
    const found = places.find([...candidates]);
    for (const mark of candidates) chips.draw(mark, found.get(mark) ?? steps.placeOf(mark));
    if (automatic)
      checks.request([...found].flatMap(([{ code }, place]) => (place === undefined ? [] : code)));
  }

  function leave(): void {
    steps.leave();
    schedule.changed();
  }

  function open(code: string): void {
    void ask('ticket.open', { code });
    if (chips.chipOf(code) !== undefined) return;
    chips.show(code, busy);
    setTimeout(() => {
      if (chips.chipOf(code) === busy) chips.reset(code);
    }, openTimeoutMs);
  }

  const steps = createChipSteps({
    marks: marks.all,
    chips,
    size: chipSize,
    layout: (mark) => {
      layout(false, mark);
    },
  });
  const scan = startScan({
    rules,
    minCodeLength: Math.min(minCodeLength, ...patterns.map(({ length }) => length)),
    read: (run) => marks.read(run, patterns),
    changed() {
      // A verdict must not stand beside another code until the next layout.
      marks.prune();
      schedule.changed();
    },
  });
  scan.add(document);

  return {
    checked: chips.show,
    look: steps.look,
    go: steps.go,
    end() {
      scan.end();
      checks.end();
      near.end();
      schedule.end();
      overlay.end();
    },
  };
}
