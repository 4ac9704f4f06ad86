import { anyPrefix, matchShape, parseCodePattern } from '#core/codes/index';
import type { Connection } from '#core/connections/connection';
import { codeForms } from '#core/marketplaces/index';

/** The facts about a connection that decide the form of its codes. */
interface CodeFormSource extends Pick<Connection, 'marketplace'> {
  readonly dialect: Pick<Connection['dialect'], 'codePattern'>;
}

/** Returns the forms of a connection's codes: those of its marketplace and its own. */
function formsOf({ marketplace, dialect: { codePattern } }: CodeFormSource): readonly string[] {
  const own = codePattern === undefined ? [] : [codePattern];
  return marketplace === undefined ? own : [...own, ...codeForms[marketplace]];
}

/** Returns the patterns by which codes of these connections are found in a text, beside the common form. */
export function codePatternsOf(connections: readonly CodeFormSource[]): string[] {
  return [...new Set(connections.flatMap((connection) => formsOf(connection)))];
}

/** Any letter O may be meant as 0, or those beside digits alone. */
const anyO = [/o/giu, /(?<=\d)o|o(?=\d)/giu];

/**
 * Returns the connections that a code is asked at: those whose codes may have its form, dashes and O for 0 apart. Where
 * it fits none, all are asked, since it may be mistyped.
 */
export function connectionsFor<C extends CodeFormSource>(
  code: string,
  connections: readonly C[],
): C[] {
  const spellings = [...new Set([code, ...anyO.map((letter) => code.replaceAll(letter, '0'))])];
  const fitting = connections.filter(
    (connection) =>
      connection.marketplace === undefined ||
      formsOf(connection).some((form) => spellings.some((spelling) => fits(spelling, form))),
  );
  return fitting.length === 0 ? [...connections] : fitting;
}

/**
 * Tells whether a code has a form of a connection's marketplace, dashes included, so that it is not a mistyped code of
 * another form.
 */
export function hasFormOf(
  connection: Pick<CodeFormSource, 'marketplace'> | undefined,
  code: string,
): boolean {
  const { marketplace } = connection ?? {};
  return (
    marketplace !== undefined &&
    codeForms[marketplace].some(
      (form) => code.includes('-') === form.includes('-') && fits(code, form),
    )
  );
}

function fits(code: string, form: string): boolean {
  const bare = form.replace(anyPrefix, '');
  const start = bare === form ? 0 : code.length - bare.length;
  if (bare !== form && !/[a-z\d][_-]$/iu.test(code.slice(0, Math.max(0, start)))) return false;
  const text = code.slice(start);
  const shape = shapeOf(text.includes('-') ? bare : bare.replaceAll('-', ''));
  return shape.ok && matchShape(shape.value, text, 0)?.end === text.length;
}

/** The shapes of the forms so far, since each code of a long list asks for the same few. */
const shapes = new Map<string, ReturnType<typeof parseCodePattern>>();

function shapeOf(form: string): ReturnType<typeof parseCodePattern> {
  const parsed = shapes.get(form) ?? parseCodePattern(form);
  shapes.set(form, parsed);
  return parsed;
}
