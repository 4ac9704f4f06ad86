/** What a colour says; words and an icon always say it too. `note`: worth knowing. `plain`: nothing is judged. */
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain';
