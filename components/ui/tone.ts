/** The meaning of a colour; text and an icon always express it too. `note` is worth knowing, `plain` judges nothing. */
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain';
