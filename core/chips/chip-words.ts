import type { CheckReport } from '#core/check/index';
import { type ChipFace, chipFaceOf, isAnswer, supportedUntilOf } from '#core/chips/chip-face';
import type { ExpectedItem } from '#core/items/index';
import { dayMs, hourMs, minuteMs } from '#core/time/index';
import { lastKnownOf } from '#core/verdict/index';

/** Everything that a chip shows: its look and its label. */
export interface Chip {
  readonly tone: ChipTone;
  /** An SVG path of strokes, in a square of 12. */
  readonly icon: string;
  /** At most two words, in the agent's language. */
  readonly label: string;
  /** The month in which support ends, or the day if it is near, in the agent's language; shown if there is room. */
  readonly until?: string;
  /** Whether it shows an answer; a chip without one never replaces it. */
  readonly answered: boolean;
}

type ChipTone = 'plain' | 'good' | 'warn' | 'note' | 'bad';

/** The units for showing an age, longest first. */
const ageUnits = [
  [dayMs, 'day'],
  [hourMs, 'hour'],
] as const;

const cross = 'm3 3 6 6M9 3 3 9';

/** The colour and icon of each face, which repeat the meaning of its label. Icons are strokes in a square of 12. */
const chipLooks: Readonly<
  Record<ChipFace, { readonly tone: Chip['tone']; readonly icon: string }>
> = {
  ask: { tone: 'plain', icon: 'M2 6h8M6.5 2.5 10 6l-3.5 3.5' },
  asking: { tone: 'plain', icon: 'M2.5 6h.01M6 6h.01M9.5 6h.01' },
  supported: { tone: 'good', icon: 'M2 6.5 4.8 9.2 10 3' },
  lapsed: { tone: 'warn', icon: 'M6 2.5V6l2.2 1.6M6 1a5 5 0 1 0 .01 0z' },
  'no-support': { tone: 'note', icon: 'M6 1a5 5 0 1 0 .01 0zM3.6 6h4.8' },
  untold: { tone: 'note', icon: 'M2 6.5 4.8 9.2 10 3' },
  'not-found': { tone: 'bad', icon: cross },
  refunded: { tone: 'bad', icon: cross },
  disputed: { tone: 'bad', icon: cross },
  'charged-back': { tone: 'bad', icon: cross },
  disabled: { tone: 'bad', icon: cross },
  expired: { tone: 'bad', icon: cross },
  ended: { tone: 'bad', icon: cross },
  test: { tone: 'bad', icon: cross },
  'other-item': { tone: 'warn', icon: 'M6 1.5 11 10.5H1zM6 5v2.5M6 9.1v.1' },
  locked: { tone: 'plain', icon: 'M2.5 5.5h7V11h-7zM4 5.5V4a2 2 0 0 1 4 0v1.5' },
  failed: { tone: 'plain', icon: 'M6 1.5v5.5M6 9.9v.1' },
};

/** If support ends sooner than this, in milliseconds, the chip shows the day rather than the month. */
const nearMs = 60 * dayMs;

/** Converts verdicts to the labels and looks of chips, in the browser's language. */
export interface ChipWords {
  readonly chip: (face: ChipFace) => Chip;
  /** @param now epoch milliseconds */
  readonly verdictOn: (
    reports: readonly CheckReport[],
    expected: ExpectedItem | undefined,
    now: number,
  ) => Chip;
}

/** @param browserMessages returns a message from `browser.json` */
export function createChipWords(browserMessages: (key: string) => string): ChipWords {
  const chip = (face: ChipFace): Chip => ({
    ...chipLooks[face],
    label: browserMessages(`chip_${face.replace('-', '_')}`),
    answered: isAnswer(face),
  });

  const verdictOn: ChipWords['verdictOn'] = (reports, expected, now) => {
    const face = chipFaceOf(reports, now, expected);
    const known = face === 'failed' ? lastKnownOf(reports, now) : undefined;
    if (known !== undefined) {
      // The chip shows the answer's age and no colour, since the code could not be checked again.
      const { label, icon } = chip(chipFaceOf([known], now, expected));
      return { ...chip(face), label, icon, until: ageOf(now - known.at) };
    }
    const until = face === 'supported' ? supportedUntilOf(reports, now) : undefined;
    return { ...chip(face), ...(until && { until: endOf(until, now) }) };
  };

  const languageTag = (): string => browserMessages('@@ui_locale').replaceAll('_', '-');

  /** Formats the end of support as its month, Mar 2027, or if it is near as its day, 28 Nov. */
  function endOf(at: number, now: number): string {
    return new Intl.DateTimeFormat(languageTag(), {
      month: 'short',
      [at - now < nearMs ? 'day' : 'year']: 'numeric',
    }).format(at);
  }

  /** Formats an age: 2 hr. ago */
  function ageOf(ms: number): string {
    const [size, unit] = ageUnits.find(([each]) => ms >= each) ?? ([minuteMs, 'minute'] as const);
    return new Intl.RelativeTimeFormat(languageTag(), { style: 'short', numeric: 'auto' }).format(
      -Math.floor(ms / size),
      unit,
    );
  }

  return { chip, verdictOn };
}
