/**
 * The meaning of a colour, which text and an icon always carry too. `note`: worth knowing. `plain`: nothing is
 * judged.
 */
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain';
