/** Holds a file of `locales/`: texts under nested names. */
export interface Catalogue {
  readonly [name: string]: Catalogue | string;
}

/** Holds the names of a catalogue without its texts. */
export interface CatalogueKeys {
  readonly [name: string]: CatalogueKeys | 0;
}

/**
 * Describes a message as vue-i18n reads it compiled: a resource (0) of a plural (1), of messages (2), of texts (3) and named
 * values (4).
 */
export interface Message {
  readonly t: 0;
  readonly b: Form | { readonly t: 1; readonly c: readonly Form[] };
}

interface Form {
  readonly t: 2;
  readonly i: readonly (
    | { readonly t: 3; readonly v: string }
    | { readonly t: 4; readonly k: string }
  )[];
}

/** Returns the names of a catalogue, nested as its texts are. */
export function keysOf(catalogue: Catalogue): CatalogueKeys {
  return Object.fromEntries(
    Object.entries(catalogue).map(([name, value]) => [
      name,
      typeof value === 'string' ? 0 : keysOf(value),
    ]),
  );
}

/** Returns the texts of a translation in the order of the keys; 0 for a text that it lacks. */
export function textsOf(keys: CatalogueKeys, translation: Catalogue): readonly (string | 0)[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    const value = translation[name];
    if (key === 0) return typeof value === 'string' ? value : 0;
    return textsOf(key, typeof value === 'object' ? value : {});
  });
}

/** Puts the texts of a translation under their keys again, each as a message. What it lacks is left out. */
export function translationOf(keys: CatalogueKeys, texts: readonly (string | 0)[]): object {
  let next = 0;
  const fill = (node: CatalogueKeys): object =>
    Object.fromEntries(
      Object.entries(node).flatMap(([name, key]) => {
        if (key !== 0) return [[name, fill(key)] as const];
        const text = texts[next++];
        return typeof text === 'string' ? [[name, messageOf(text)] as const] : [];
      }),
    );
  return fill(keys);
}

/** Returns the messages of a catalogue, with a plain text for each in which nothing is filled. */
export function plainMessagesOf(catalogue: Catalogue): object {
  return Object.fromEntries(
    Object.entries(catalogue).map(([name, value]): [string, object | string] => {
      if (typeof value !== 'string') return [name, plainMessagesOf(value)];
      return [name, /[{|]/.test(value) ? messageOf(value) : value];
    }),
  );
}

/** Reads a text of a catalogue: `{name}` is a value, `{'@'}` stands for the sign in it, `|` parts the forms of a plural. */
export function messageOf(text: string): Message {
  const forms = text.split('|');
  const [only = ''] = forms;
  return {
    t: 0,
    b: forms.length === 1 ? formOf(only) : { t: 1, c: forms.map((form) => formOf(form.trim())) },
  };
}

function formOf(text: string): Form {
  // Odd parts are what stood in braces.
  const parts = text.split(/\{([^}]*)\}/);
  return {
    t: 2,
    i: parts.flatMap((part, index) => {
      if (index % 2 === 0) return part === '' ? [] : { t: 3 as const, v: part };
      return part.startsWith("'")
        ? { t: 3 as const, v: part.slice(1, -1) }
        : { t: 4 as const, k: part };
    }),
  };
}
