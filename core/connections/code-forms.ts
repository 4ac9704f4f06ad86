import { anyPrefix, matchShape, parseCodePattern } from '#core/codes/index';
import type { Connection } from '#core/connections/connection';
import { codeForms } from '#core/marketplaces/index';

/** The part of a connection that determines the form of its codes. */
interface CodeFormSource extends Pick<Connection, 'marketplace'> {
  readonly dialect: Pick<Connection['dialect'], 'codePattern'>;
}

/** Returns the forms of a connection's codes: those of its marketplace and its own. */
function formsOf({ marketplace, dialect: { codePattern } }: CodeFormSource): readonly string[] {
  const own = codePattern === undefined ? [] : [codePattern];
  return marketplace === undefined ? own : [...own, ...codeForms[marketplace]];
}

/** Returns the patterns that find codes of these connections in a text, in addition to the common form. */
export function codePatternsOf(connections: readonly CodeFormSource[]): string[] {
  return [...new Set(connections.flatMap((connection) => formsOf(connection)))];
}

/** Try every O as 0, then only Os next to a digit. */
const oToZero = [/o/giu, /(?<=\d)o|o(?=\d)/giu];

/**
 * Returns the connections at which to check a code: those whose codes may have its form, ignoring dashes and O for 0.
 * If it fits none of them, all are asked, since it may be mistyped.
 */
export function connectionsFor<C extends CodeFormSource>(
  code: string,
  connections: readonly C[],
): C[] {
  const spellings = [...new Set([code, ...oToZero.map((letter) => code.replaceAll(letter, '0'))])];
  const fitting = connections.filter(
    (connection) =>
      connection.marketplace === undefined ||
      formsOf(connection).some((form) => spellings.some((spelling) => fits(spelling, form))),
  );
  return fitting.length === 0 ? [...connections] : fitting;
}

/**
 * Tells whether a code has a form of a connection's marketplace, including dashes, and so is not a mistyped code of
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

/** A cache of parsed forms, since every code of a long list needs the same few. */
const shapes = new Map<string, ReturnType<typeof parseCodePattern>>();

function shapeOf(form: string): ReturnType<typeof parseCodePattern> {
  const parsed = shapes.get(form) ?? parseCodePattern(form);
  shapes.set(form, parsed);
  return parsed;
}
