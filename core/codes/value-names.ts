/**
 * The names of values: the name before a value decides whether it may be a purchase code, another kind of id, or
 * something unknown.
 *
 * The name of a code consists of what it is for and what it is: "license key", "Lizenzschlüssel", "clave de licencia".
 * To add a language, add its words to these lists. A word in a text may be up to four letters longer, as in plurals and
 * inflected forms; a word for what a code is for, up to eight. `_` stands for a space, and a word may use the syntax of
 * regular expressions, such as an optional letter.
 */
const licenses =
  'licen lizenz lisans lisen liscen lesen litsents лицен ліценз লাইসেন্স لائسنس உரிம giấy_phép bản_quyền लाइसें ترخيص رخصة لایسنس ライセ 许可 授权 授權 라이선 라이센 άδει רישיון';
const things =
  'purchase nákup kupnj redeem redempt ενεργοπο הפעל ลิขสิทธิ์ ใบอนุญาต เปิดใช้งาน produ seri unlock \\bcd \\b(?:app)?sumo key kauf tiva ctiv ktiv regist(?!ry) freischalt achat compra alma etkinleş ürün kayıt pembelian mua mua_hàng kích_hoạt sản_phẩm sê_ri खरीद सक्रिय उत्पाद सीरि एक्टि परचेज شراء تفعيل تنشيط سيريال منتج تسلسل 購入 製品 プロダ シリア アクティ 認証 登録 购买 購買 激活 啟用 序 产品 注册 註冊 구매 제품 시리 인증 활성 покупк купівл актив продукт регистрац серий acquis aankoop köp købs kjøps osto ostu kupu aktyw aktyv aktif seeri sery siri pirk achiz vásárl αγορ רכיש فعال خرید';
/** What a code is, after what it is for. */
const keys =
  'key schl.{0,2}ssel anahtar anahtarlar कुंजी की キー 密钥 卡密 키 ключ sleutel nyckel nøgle nøkkel avain klíč kľúč ključ кључ kulcs rakt atslēg võti কী கீ விசை کی';
const codes = 'code kod kodlar kood कोड コード 码 碼 코드 код';
const numbers = 'num číslo numara \\bn\\b no nr नंबर ナンバー 号 號 번호 номер';
/** What a code is, before what it is for. */
const keysBefore =
  'clé cl\\b clave chave key kunci khóa مفتاح ключ chiave klucz chei κλειδί מפתח clau کلید คีย์';
const codesBefore = 'cod c\\b.digo kod mã\\b رمز رموز كود код κωδικός קוד کد รหัส';
const numbersBefore = 'num n\\b no\\b nro nomor nombor số\\b رقم الرقم номер';

/** Words that may occur inside and after a name: whose code it is, and where its value is. */
const smallWords = new Set(
  foldedOf(
    'за de del da do di d l o of la le the value reg sz s saya của mình tôi الخاص بي is as follows below steht unten lautet wie folgt est ci dessous está abajo abaixo aşağıda e qui sotto staat hieronder poniżej ниже',
  ).split(' '),
);
/** The end of a clause. A relative clause does not count, since it is about the same thing. */
const clauseEnd =
  /(?<!["']), (?!d[aei][enrs] |que )| (?:and|but|und|aber|et|mais|pero|mas|ve|ama) /i;

/** Things whose ids are not codes, and often follow without a label, as in a log. */
const machines =
  'instance|install(?:ation)?|machine|device|hardware|client|tenant|request|session|trace|user|transaction|host|node|job|run|parent|container|activity|correlation';
/** Endings of the names of other things (kinds of ids, and secrets), in lower case without accents. */
const endsOfOthers = new RegExp(
  `(?:${machines}|guid|uuid|volume|sub|hwid|udid|clsid|sess|\\b[a-z]id|identifier|bezeichner|eszkozazonosito|laitetunnus|idfa|adid|hjid|print|hash|checksum|md5|tag|nonce|challenge|verifier|salt|state|revision|commit|boundary|jti|ticket|cookie|class|style|href|src|bearer|req|secret|passw\\w+|pwd|(?:maschinen|gerate)(?:code|kennung)|(?:master|session|hmac|crypto|onesignal|api|instrumentation|access|private|public|secret|ssh|auth|host|idempotency|encryption|reporter|cache|payment|order|recovery|security|hardware|device) ?key|(?:upgrade|package|machine|device|hardware|computer|request|installation|makine|cihaz|donanim|मशीन|डिवाइस) (?:code|kodu?|कोड)|(?:kode|ma|codigo|code|كود|رمز) (?:mesin|perangkat|may|maquina|الجهاز)|(?:incident|error|case) (?:number|code)|vorgangsnummer|codigo error|thiet bi|(?:マシン|デバイス)コード|[机機硬设設特][器件备備征][码碼]|[^ -~](?:id|[编番識识][号號别別][码碼子]?))(?:id)?$`,
);
/** Things whose ids are not codes, even if the id is only called `id`. */
const holderOfIds = new RegExp(
  `^(?:${machines}|report|incident|activation|message|account|event|span|customer|variant|store|order|process|app|benefit|organization|location|bio)s?$`,
);
/**
 * Words for things that have a number of their own, such as an order, and for properties of a code, such as its type.
 */
const documents =
  /order|invoice|type|status|erro|erreur|promo|count|refer|customer(?: n\S*)?$|coupon|bestel|rechnung|auftrag|commande|\bfa\w?tur|pedido|siparis|objednavk|rendeles|замовлен|tilaus|ordre|הזמנה|سفارش|comand|narudzb|gift|gutschein|voucher|booking|tracking|đon|pesanan|طلب|заказ|주문|zamow|ऑर्डर|注文|[订訂][单單]/;
/** Words for an id. In some languages the owner's name follows. */
const wordForId =
  /^(?:ids?|uuid|ident(?!ifier)\w+|идентификатор|ідентифікатор|αναγνωριστικο|kimligi\w?|आईडी|معرف|מזהה)$/;
/** Words before `id` after which the value may still be a code. */
const idOfCode = /^(?:purchase|code|alma|खरीद)$/;

/**
 * What a name says about its value. `number`: a code, or the number of something else, such as a certificate.
 * `bare-code`: only the word "code", which names a code only if the value is long. `bare-key`: only a word for keys or
 * licenses, which names a code only if the value looks like a key. `id`: the id of the object around it. `unclear`: a
 * document, or a field or column with an unknown name.
 */
export type ValueName = 'code' | 'number' | 'bare-code' | 'bare-key' | 'id' | 'unclear' | 'other';

/**
 * Compiled when the first name is read. A match of `any` has a group for the name of a code, and none for that of a
 * number.
 */
let patterns: Readonly<Record<'any' | 'bare-key', RegExp>> | undefined;

function makePatterns(): NonNullable<typeof patterns> {
  // No language inflects words of one or two letters: "master" does not begin with "mã".
  const anyOf = (...lists: readonly string[]): string =>
    foldedOf(lists.join(' '))
      .replaceAll(/(?<!(?:^| )[a-z]{1,2})(?= |$)/g, '\\S{0,4}')
      .replaceAll(' ', '|')
      .replaceAll('_', ' ');
  const thing = `\\S*(?:${anyOf(licenses, things)})\\S{0,4}`;
  // In English, a "code license" is the license of a program.
  return {
    any: new RegExp(
      `^(?:${thing} ?(?:(${anyOf(keys, codes)})|${anyOf(numbers)})|(?:(${anyOf(keysBefore, codesBefore)})|${anyOf(numbersBefore)}) ?(?!license)${thing})$`,
    ),
    'bare-key': new RegExp(`^(?:ال)?(?:activate|${anyOf(licenses, keys, keysBefore)})$`),
  };
}

/**
 * Splits a name at capitals, then matches the words, for ASCII: compiling the Unicode expressions costs a page
 * milliseconds.
 */
const splitsOfAscii = [/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, /[a-z\d]+/g] as const;
const splits = [
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu,
  /[\p{L}\p{M}\p{N}]+/gu,
] as const;

/**
 * Returns what a name says about the value after it.
 * @param name the text before a value and its colon, one line at most
 * @param isOpen whether other words may follow the name, as in "purchase code for Orbit:"
 */
export function readValueName(name: string, isOpen: boolean): ValueName | undefined {
  const clause = name.split(clauseEnd).at(-1) ?? '';
  const words = wordsOf(clause).filter((word) => !smallWords.has(word));
  const says = endOf(words, words.length) ?? endOfOthers(words);
  const last = words.at(-1);
  // The words after a name may end with the code's owner, as in "purchase code of my client:". A "key word" is not a
  // key.
  if (!isOpen || last === 'word' || (says !== undefined && !isHolder(last))) return says;
  /** How many letters follow the possible name: thirty at most. */
  let behind = 0;
  for (let end = words.length - 1; end > 0; end -= 1) {
    const word = words[end] ?? '';
    behind += word.length + 1;
    if (behind > 30 || /\p{N}\S/u.test(word) || documents.test(word)) return says;
    const found = endOf(words, end) ?? endOfOthers(words.slice(0, end));
    if (/code|key|number/.test(found ?? '')) return found;
  }
  return says;
}

/** Returns what a name's last words say if they do not name a code. */
function endOfOthers(words: readonly string[]): ValueName | undefined {
  const [before, last = ''] = [words.at(-2), words.at(-1)];
  if (/^codes?$/.test(last) && (before === undefined || before === 'my')) return 'bare-code';
  if (/^s(?:erial[es]?|n)$|^シリアル$|سيريال$/.test(last)) return 'number';
  if (last !== 'uuid' && wordForId.test(last))
    return before === undefined || idOfCode.test(before) ? 'id' : 'other';
  const end = words.slice(-2).join(' ');
  const isIdOf = words.slice(-3, -1).some((word) => wordForId.test(word)) && !/\d/.test(end);
  const isSecret = last === 'token' && endOf([before ?? '', 'key'], 2) === undefined;
  if (isIdOf || isSecret || endsOfOthers.test(end)) return 'other';
  patterns ??= makePatterns();
  return patterns['bare-key'].test(last) ? 'bare-key' : undefined;
}

/** Tells whether a name means a document with a number of its own, which is not a code. */
export function isDocument(name: string): boolean {
  return documents.test(wordsOf(name).join(' '));
}

/** Tells whether an object with this name has an id that is not a code. */
export function holdsOtherIds(name: string): boolean {
  return isHolder(wordsOf(name).at(-1));
}

function isHolder(word = ''): boolean {
  return holderOfIds.test(word);
}

/**
 * Returns what a name that ends at this word says; undefined if no name ends here. A name has at most three words, as
 * in Vietnamese: "mã kích hoạt".
 */
function endOf(words: readonly string[], end: number): 'code' | 'number' | undefined {
  const { any } = (patterns ??= makePatterns());
  for (let start = end - 1; start >= Math.max(0, end - 3); start -= 1) {
    const found = any.exec(words.slice(start, end).join(' '));
    if (found !== null) return (found[1] ?? found[2]) === undefined ? 'number' : 'code';
  }
  return undefined;
}

/** Splits a name into words at spaces, punctuation and the capitals of camelCase, and folds each with `foldedOf`. */
function wordsOf(text: string): string[] {
  const [capitals, words] = /[^\n -~]/.test(text) ? splits : splitsOfAscii;
  return foldedOf(text.replaceAll(capitals, ' ')).match(words) ?? [];
}

/**
 * Returns a text in lower case without the marks that people leave out: accents, the vowel marks of Arabic and the
 * points of Hindi.
 */
function foldedOf(text: string): string {
  return text
    .toLowerCase()
    .replace('s/n', 'sn')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F\u064B-\u0652\u093C]/g, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
}
