/** Holds what a seller or a customer may write to be more than text where an agent pastes it. */
export const foreign = [
  'one\n# two\r\n> three',
  '@all #12 <img src=x> [a](b) | *c*',
  'https://evil.test www.evil.test evil.example joe@evil.test',
  '\u202Efour',
].join(' ');

const recognised = {
  link: /https?:\/\/|\bwww\.|evil\.(?:test|example)/u,
  mention: /@(?:all|evil)|#12/u,
  heading: /^\s*#+ two/mu,
  quote: /^\s*> three/mu,
  direction: /[\u202A-\u202E]/u,
};

/** Lists what a help desk or mail program would make of {@link foreign} in this text. */
export function foreignMarks(text: string): string[] {
  return Object.entries(recognised).flatMap(([name, pattern]) =>
    pattern.test(text) ? [name] : [],
  );
}

/** Lists markup of {@link foreign} that Markdown would not take for text. */
export function foreignMarkup(text: string): string[] {
  return [/(?<!\\)<img/u, /(?<!\\)\[a/u, /(?<!\\)\*c/u, / (?<!\\)\| (?=\\?\*c)/u].flatMap(
    (pattern) => pattern.exec(text)?.[0] ?? [],
  );
}
