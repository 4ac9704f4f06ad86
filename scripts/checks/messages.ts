/** Beginnings of keys that end in what a document says. */
const namedOutside = ['verifier.claims.name.'];

/** One name, or a template of names: its fixed texts, with a value between each two. */
type Reference = readonly string[];

/** Returns what may name messages in a source: texts with a dot in them, templates included. */
function referencesIn(source: string): Reference[] {
  const quoted = [...source.matchAll(/(['"])([\w-]+(?:\.[\w-]+)+)\1/g)].map(([, , name = '']) => [
    name,
  ]);
  const value = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;
  const templates = [...source.matchAll(/`([\w.-]*(?:\$\{(?:[^{}]|\{[^{}]*\})*\}[\w.-]*)+)`/g)].map(
    ([, template = '']) => template.split(value),
  );
  return [...quoted, ...templates];
}

/** Returns the names that a message lookup is called with: `t('…')`, `te('…')`, and templates in their place. */
function lookupsIn(source: string): Reference[] {
  const calls = source.matchAll(/\bte?\(\s*(?:'[^']*'|"[^"]*"|`[^`]*`)/g);
  return [...calls].flatMap(([call]) => referencesIn(call));
}

/** Returns the values between a template's fixed texts that give a key; undefined when none do. */
function valuesIn(key: string, texts: Reference): string[] | undefined {
  const escaped = texts.map((text) => text.replaceAll('.', String.raw`\.`));
  const found = new RegExp(`^${escaped.join('([\\w.-]+)')}$`).exec(key);
  return found === null ? undefined : found.slice(1);
}

/** Names each message that no source uses, and each lookup that finds none. */
export function messageProblems(keys: readonly string[], sources: readonly string[]): string[] {
  const all = sources.join('\n');
  const words = new Set(all.match(/[\w-]+/g));
  const kebab = (name: string): string =>
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const references = referencesIn(all);
  const composed = references.filter((texts) => texts.length > 1 && /^\w/.test(texts[0] ?? ''));
  /** Every value that a template is filled with stands in the code, there in kebab-case or composed. */
  const isNamed = (value: string): boolean =>
    value
      .split('.')
      .every(
        (part) =>
          words.has(part) ||
          words.has(kebab(part)) ||
          composed.some((texts) => valuesIn(part, texts)?.every((each) => words.has(each))),
      );

  const tops = new Set(keys.map((key) => key.split('.', 1)[0]));
  const names = new Set(references.flatMap((texts) => (texts.length === 1 ? texts : [])));
  const templates = references.filter(
    ([first = '', ...rest]) => rest.length > 0 && tops.has(first.split('.', 1)[0]),
  );
  /** Ends that are put behind a name: `${key}.title`. */
  const endings = new Set(
    references.flatMap(([first, ending = '', ...rest]) =>
      first === '' && rest.length === 0 && ending.startsWith('.') ? [ending] : [],
    ),
  );
  const isReferred = (key: string): boolean =>
    names.has(key) ||
    namedOutside.some((beginning) => key.startsWith(beginning)) ||
    templates.some((texts) => valuesIn(key, texts)?.every(isNamed) === true);
  const isUsed = (key: string): boolean =>
    isReferred(key) ||
    [...endings].some((ending) => key.endsWith(ending) && isReferred(key.slice(0, -ending.length)));

  const known = new Set(keys);
  return [
    ...keys.filter((key) => !isUsed(key)).map((key) => `${key}: nobody uses it`),
    ...lookupsIn(all)
      .filter((texts) => texts[0] !== '')
      .filter((texts) =>
        texts.length === 1
          ? !known.has(texts[0] ?? '')
          : !keys.some((key) => valuesIn(key, texts) !== undefined),
      )
      .map((texts) => `${texts.join('*')}: no catalogue has it`),
  ];
}
