import { createAutomaticChecks } from '#components/chips/automatic-checks';
import { createChipPlaces } from '#components/chips/chip-places';
import { chipSize, chipStyle } from '#components/chips/chip-style';
import { createChipSteps } from '#components/chips/chip-steps';
import { createMarks, type Mark, trackNearMarks } from '#components/chips/code-marks';
import { createDrawnChips } from '#components/chips/drawn-chips';
import { scheduleLayouts } from '#components/chips/layout-schedule';
import { createOverlay } from '#components/chips/overlay';
import { startScan } from '#components/chips/scan';
import { createTextRules } from '#components/chips/text-rules';
import type { TextRun } from '#components/chips/text-run';
import type { Ask, Body, Reply } from '#messaging/index';
import {
  type Chip,
  createCodeTest,
  type findCodePositions,
  markupFor,
  type StepHandle,
} from '#core/chips/index';

type TicketScriptSettings = NonNullable<Reply<'ticket.start'>>;

/**
 * Sends a request to the worker synchronously, because the browser opens the panel only for a message from the click's
 * own task. Resolves to `undefined` if there was no reply.
 */
export type AskFromPage = <T extends Parameters<Ask>[0]>(
  topic: T,
  body: Body<T>,
) => Promise<Reply<T> | undefined>;

/** The globals that both stages of the ticket script share in their isolated world, invisible to pages. */
export interface ScriptGlobals {
  /** Whether the first stage runs here. */
  counterfoilStarted?: boolean;
  /** Shows chips; set by the second stage. */
  counterfoilView?: (settings: TicketScriptSettings, ask: AskFromPage) => ChipsHandle;
  /** Finds codes in text; set by a script that is injected when the document's text may contain one. */
  counterfoilFinder?: typeof findCodePositions;
  /** The chips of this document, for the worker's stepping from code to code; set by the first stage. */
  counterfoilChips?: StepHandle | undefined;
}

export interface ChipsHandle extends StepHandle {
  /** Shows the verdict on a code that the agent has checked in the panel. */
  checked(code: string, chip: Chip): void;
  end(): void;
}

/** How long a clicked code is shown as being checked, in milliseconds. */
const openTimeoutMs = 12_000;

/** Shows a chip beside each code in this document until `end` is called. */
export function showChips(settings: TicketScriptSettings, ask: AskFromPage): ChipsHandle {
  const { automatic, patterns, blank, busy } = settings;
  const overlay = createOverlay(chipStyle, chipSize);
  const places = createChipPlaces(overlay.host, chipSize);
  const chips = createDrawnChips(overlay, blank, { open, left: leave }, automatic ? busy : blank);
  const checks = createAutomaticChecks(chips, (code) => ask('ticket.check', { code }), busy);
  const schedule = scheduleLayouts(layout, () => near.marks.size + chips.drawn.size > 0);
  const near = trackNearMarks({ changed: schedule.changed, left: chips.remove });
  const rules = createTextRules(markupFor(settings.origin));
  const marks = createMarks((text) => rules.isTicketText(text), near.add, near.remove);

  /** Reads all positions before writing, so that one layout serves all chips. */
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
    mayHoldCode: createCodeTest(patterns),
    read,
    changed() {
      // A verdict must not be beside another code until the next layout.
      marks.prune(chips.drawn.keys());
      schedule.changed();
    },
  });
  scan.add(document);

  const globals = globalThis as ScriptGlobals;
  let asked = false;
  let ended = false;

  /** Looks for codes in a text that may contain some; until the finder is loaded, the whole document is postponed. */
  function read(run: TextRun): boolean {
    const find = globals.counterfoilFinder;
    if (find !== undefined) return marks.update(run, (pieces) => find(pieces, patterns));
    if (!asked) {
      asked = true;
      void ask('ticket.finder', {}).then((isHere) => {
        asked = isHere === true;
        if (asked && !ended) scan.add(document);
      });
    }
    return true;
  }

  return {
    checked: chips.show,
    stepState: steps.stepState,
    focusCode: steps.focusCode,
    end() {
      ended = true;
      scan.end();
      checks.end();
      near.end();
      schedule.end();
      overlay.end();
    },
  };
}
