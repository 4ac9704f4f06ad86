import type { Tone } from '#components/ui/tone';
import type { VerdictWord } from '#core/verdict/index';

/** Returns the colour of a group of rows; refunds and the like are bad. */
export function groupTone(group: VerdictWord): Tone {
  return tones[group] ?? 'bad';
}

const tones: Partial<Record<VerdictWord, Tone>> = {
  supported: 'good',
  lapsed: 'warn',
  'no-support': 'note',
  untold: 'note',
  'other-item': 'warn',
  fault: 'plain',
  waiting: 'plain',
};
