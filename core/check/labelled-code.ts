/** Names of a purchase code. None has an unbounded repetition, so that a search stays linear. */
const names = [
  String.raw`(?:purchase|licen[cs]e|activation)[ _-]?(?:code|key)s?`,
  String.raw`kaufcodes?|kauf-codes?|lizenz(?:codes?|schlüssel)|lizenz-codes?`,
  String.raw`codes? d['’]achat|cl[ée]s? de licence`,
  String.raw`c[óo]digos? de (?:la )?compra|clave de licencia`,
  String.raw`codice (?:di |d['’])?acquisto`,
  String.raw`aankoopcodes?|licentiecodes?|köpkod|købskode|kjøpskode|ostokoodi`,
  String.raw`kod zakupu|kód nákupu|vásárlási kód|cod(?:ul)? de (?:achiziție|cumpărare)`,
  String.raw`satın ?alma kodu|kode pembelian|mã mua hàng`,
  String.raw`код покупки|код купівлі|κωδικός αγοράς`,
  String.raw`購入コード|購買代碼|购买代码|购买码|구매 ?코드|رمز الشراء|קוד רכישה`,
].join('|');
const endOfName = String.raw`(?:(?![\p{Script=Latin}\d])|(?<=[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]))`;
const joint = [
  String.raw`["'”’\])*_]{0,3}(?:[^\d\r\n:=]{1,40}(?=[:=]))?[ \t]{0,3}(?:\([^()\r\n]{0,40}\)[ \t]{0,3})?`,
  String.raw`(?:(?:(?:is|was|ist|lautet|est|es|è|é|jest|это)(?![\p{L}\d])|は|是|:|=>?|：|#|-{1,2}>?|→)[ \t]{0,3}){0,2}`,
  String.raw`(?:(?:\r\n|[\r\n])[ \t>|]{0,12}){0,2}["'“‘«„(\[*_` + '`' + String.raw`]{0,3}`,
].join('');
/** The word "code" alone is ambiguous, so it must begin a line or sentence and stand before a colon and a long code. */
const bareName = String.raw`(?<=(?:^|[.,;!?])[^\p{L}\d\r\n]{0,8}|(?:^|\s)(?:my|the) )(?<bare>codes?)(?=[ \t]{0,2}[:=#])`;
const minBareNameCodeLength = 16;
const label = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${names})${endOfName}|${bareName})${joint}`,
  'gimu',
);

const run = /[A-Za-z0-9]{1,129}(?:-[A-Za-z0-9]{1,129}){0,64}/y;
const brokenAfterDash = /-[ \t]{0,8}(?:\r\n|[\r\n])[ \t>|]{0,12}(?=[A-Za-z0-9-]{0,128}\d)/y;
const between = /[ \t\r\n,;•*&+/|>-]{1,12}(?:(?:and|und|et|y|e|og|en) )?/y;

const wholeRun = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;
const dashAtLineEnd = /[A-Za-z0-9]-[ \t]{0,8}[\r\n]/;
const minLength = 8;

/**
 * Tells cheaply whether a text may hold a labelled code, wherever its labels are: the labels take long to compile and to look for.
 * @param isFree tells of an index whether no other code is there; a labelled code is nowhere else
 */
export function mayHoldLabelled(text: string, isFree: (at: number) => boolean): boolean {
  if (dashAtLineEnd.test(text)) return true;
  for (const { 0: found, index } of text.matchAll(wholeRun))
    if (isFree(index + found.length - 1) && isCode(found)) return true;
  return false;
}

/** Holds a code and its position in the normalised text, in UTF-16 units; `end` is exclusive. */
export interface LabelledCode {
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds codes of any form by a label before them, such as "purchase code:". A code has 8 to 128 letters, digits and dashes and
 * at least one digit. Codes of the same length that follow it, as in a list, count too.
 * @param text normalised by `normaliseText`
 */
export function* findLabelledCodes(text: string): Generator<LabelledCode> {
  let at = 0;
  for (;;) {
    label.lastIndex = at;
    const named = label.exec(text);
    if (named === null) return;
    at = label.lastIndex;
    let token = readToken(text, at);
    const { bare } = named.groups ?? {};
    if (bare !== undefined && !isLongAndMixed(token?.code ?? '')) continue;
    const length = token?.code.length;
    while (token !== undefined && token.code.length === length) {
      yield token;
      at = token.end;
      between.lastIndex = at;
      token = between.test(text) ? readToken(text, between.lastIndex) : undefined;
    }
  }
}

function isLongAndMixed(code: string): boolean {
  return code.length >= minBareNameCodeLength && /[a-z]/i.test(code);
}

function readToken(text: string, start: number): LabelledCode | undefined {
  let code = '';
  let end = start;
  for (;;) {
    run.lastIndex = end;
    const piece = run.exec(text)?.[0];
    if (piece === undefined) return undefined;
    code += piece;
    end += piece.length;
    brokenAfterDash.lastIndex = end;
    if (code.length > 128 || !brokenAfterDash.test(text)) break;
    code += '-';
    end = brokenAfterDash.lastIndex;
  }
  const goesOn = /^(?:[\w@]|-[A-Za-z0-9]|:\/\/|\.[\w-]{8})/.test(text.slice(end, end + 12));
  return code.length <= 128 && isCode(code) && !goesOn ? { code, start, end } : undefined;
}

/** Tells whether a run is long enough for a code, has a digit, and is no date. */
function isCode(run: string): boolean {
  return run.length >= minLength && /\d/.test(run) && !/^\d{1,4}-\d{1,2}-\d{1,4}$/.test(run);
}
