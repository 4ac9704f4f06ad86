import type { Tone } from '#components/ui/tone';
import type { RowGroup } from '#core/row-group';

/** Returns the colour of a group of rows; groups that a marketplace objects to are bad. */
export function groupTone(group: RowGroup): Tone {
  return tones[group] ?? 'bad';
}

const tones: Partial<Record<RowGroup, Tone>> = {
  supported: 'good',
  lapsed: 'warn',
  'no-support': 'note',
  untold: 'note',
  'other-item': 'warn',
  fault: 'plain',
  waiting: 'plain',
};
