/**
 * What values are called: the name in front of a value decides whether it may be a purchase code, another id, or nothing known.
 *
 * A row of the table lists what a code may be for, then what it is called; to add a name, add a word to its row. A word in a text
 * may be up to four letters longer, as in plurals and inflected forms. In scripts without spaces, words are found at the end of a
 * longer word.
 */
const namesOfCodes = [
  'purchase license licence activation registration product serial unlock software cd key: *_code *_key #*_number #*_no',
  'kauf einkaufs lizenz aktivierungs produkt registrierungs serien freischalt: *code *key *schlüssel #*nummer',
  'achat licence activation produit série enregistrement: code_* clé_* #numéro_*',
  'compra licencia activación producto serie registro: código_* clave_* #número_*',
  'compra licença ativação produto série registro: código_* chave_* #número_*',
  'alma satınalma lisans aktivasyon etkinleştirme ürün seri kayıt: *_kod *_anahtar #*_numara',
  'pembelian lisensi aktivasi produk seri registrasi: kode_* kunci_* #nomor_*',
  'mua_hàng mua giấy_phép bản_quyền kích_hoạt sản_phẩm sê-ri seri: mã_* khóa_* khoá_* key_* #số_*',
  'खरीद ख़रीद खरीदी लाइसेंस सक्रियण उत्पाद सीरियल: *_कोड *_कुंजी *_की #*_नंबर',
  'الشراء شراء الترخيص ترخيص التفعيل تفعيل المنتج التسلسلي: رمز_* رموز_* كود_* مفتاح_* #رقم_* #الرقم_*',
  '購入 ライセンス プロダクト シリアル アクティベーション 認証 登録: *コード *キー #*番号 #*ナンバー',
  '购买 購買 许可证 授权 授權 激活 啟用 序列 产品 注册 註冊: *代码 *代碼 *码 *碼 *密钥 #*号 #*號',
  '구매 라이선스 라이센스 제품 시리얼 인증 활성화: *_코드 *_키 #*_번호',
  'покупк лицензи активаци продукт регистраци ліцензії активації купівлі: код_* ключ_* #номер_*',
  'лицензионный серийный регистрационный ліцензійний: *_ключ *_код #*_номер',
  'acquisto licenza attivazione serie: codice_* chiave_* #numero_*',
  'aankoop licentie activatie product serie köp licens købs kjøps lisens osto lisenssi: *code *sleutel #*nummer *kod *nyckel *kode *nøgle *nøkkel *koodi *avain',
  'zakupu licencji aktywacyjny seryjny nákupu achiziție cumpărare αγοράς άδειας רכישה רישיון: kod_* klucz_* #numer_* kód_* cod_* codul_* κωδικός_* κλειδί_* קוד_* מפתח_*',
  'licenční vásárlási: *_klíč *_kód',
];
/** Words that a name may have between its own. */
const smallWords = new Set('de del da do di d l of la le the value reg sz'.split(' '));

/** Last words of the names of other things, in small letters without accents: kinds of ids, and secrets. */
const lastWordsOfOthers = new Set(
  'guid uuid sub hwid udid clsid partuuid identifier fingerprint thumbprint checksum hash md5 sha1 sha256 sha512 etag nonce revision commit traceparent boundary jti ticket cookie bearer uid sid oid tid rid cid vid gid req trace phpsessid jsessionid csrftoken secret password passwort passwd pwd geratekennung'.split(
    ' ',
  ),
);
/** Things whose ids are not codes, even if the id inside them is just called `id`. */
const holdersOfIds = new Set(
  'instance install installation machine device hardware client tenant report incident activity request message session trace user account event span customer variant store order correlation process app trace benefit organization location bios urzadzenia appareil equipo cliente utilisateur usuario instancia sesion sessao instalacion instalacao dispositivo perangkat instalasi cihaz kurulum bi đat устроиства установки الجهاز التثبيت デバイス インスタンス 设备 裝置 安装 기기'.split(
    ' ',
  ),
);
/** Words for an id; some languages name its owner after it. */
const wordsForId = new Set(
  'id ids identifiant identificador identificativo identyfikator идентификатор kimligi आईडी معرف'.split(
    ' ',
  ),
);
/** Words before `id` that leave open what the value is. */
const idsOfCodes = new Set('purchase key code alma खरीद'.split(' '));
/** Words before `code` that make it a program's. */
const codesOfPrograms = new Set(['upgrade', 'package']);
/** Words before `key` that make it a secret of a program. */
const keysOfPrograms = new Set(
  'api access private public secret ssh auth host idempotency encryption reporter'.split(' '),
);

/**
 * What a name says of its value. `number`: a code or the number of something else, such as a certificate's. `bare-code`: the word
 * on its own, which can only name a long code. `id`: the id of whatever surrounds it.
 */
export type ValueName = 'code' | 'number' | 'bare-code' | 'id' | 'other';

interface Name {
  readonly words: readonly string[];
  readonly says: 'code' | 'number';
}

interface Names {
  /** Names by the beginning of their last word. */
  readonly spaced: ReadonlyMap<string, readonly Name[]>;
  /** Names of scripts without spaces. */
  readonly unspaced: readonly Name[];
}

let known: Names | undefined;

/** Reads the table: in the names of a row `*` is what a code is for, and `#` is before names of a number. */
function namesKnown(): Names {
  if (known !== undefined) return known;
  const spaced = new Map<string, Name[]>();
  const unspaced: Name[] = [];
  for (const row of namesOfCodes) {
    const [things = '', names = ''] = row.split(': ');
    for (const name of names.split(' '))
      for (const thing of things.split(' ')) {
        const words = wordsOf(name.replace('*', thing)).filter((word) => !smallWords.has(word));
        const last = words.at(-1) ?? '';
        const one: Name = { words, says: name.startsWith('#') ? 'number' : 'code' };
        if (/^[\p{Script=Han}\p{Script=Katakana}]/u.test(last)) unspaced.push(one);
        else spaced.set(last.slice(0, 2), [...(spaced.get(last.slice(0, 2)) ?? []), one]);
      }
  }
  known = { spaced, unspaced };
  return known;
}

const maxEnding = 4;
const maxWordsBehind = 8;
const maxLettersBehind = 40;

/**
 * Tells what a name says of the value behind it.
 * @param name the text before a value and its colon, as far as it belongs to it: a line at most
 * @param isOpen whether other words may stand behind the name, as in "purchase code for Orbit:"
 */
export function readValueName(name: string, isOpen: boolean): ValueName | undefined {
  const words = wordsOf(name).filter((word) => !smallWords.has(word));
  const says = endOf(words, words.length) ?? endOfOthers(words);
  if (says !== undefined || !isOpen) return says;
  let behind = 0;
  for (let end = words.length - 1; end > 0 && words.length - end <= maxWordsBehind; end -= 1) {
    const word = words[end] ?? '';
    behind += word.length + 1;
    if (behind > maxLettersBehind || /\p{N}/u.test(word)) return undefined;
    const found = endOf(words, end);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns what a name's last words say if they do not name a code. */
function endOfOthers(words: readonly string[]): ValueName | undefined {
  const [before, last = ''] = [words.at(-2), words.at(-1)];
  if (/^codes?$/.test(last) && (before === undefined || before === 'my')) return 'bare-code';
  if (last === 'serial' || (before === 's' && last === 'n')) return 'number';
  if (wordsForId.has(last))
    return before === undefined ? 'id' : idsOfCodes.has(before) ? undefined : 'other';
  const isHolder =
    (/(?:id|[编番][号號])$/.test(last) && holdersOfIds.has(last.slice(0, -2))) ||
    (holdersOfIds.has(last) &&
      words.slice(-3, -1).some((word) => wordsForId.has(word) || word === 'uuid'));
  const isSecret =
    (last === 'key' && keysOfPrograms.has(before ?? '')) ||
    (last === 'code' && codesOfPrograms.has(before ?? '')) ||
    (last === 'token' && endOf([before ?? '', 'key'], 2) === undefined);
  return isHolder || isSecret || lastWordsOfOthers.has(last) ? 'other' : undefined;
}

/** Tells whether what stands under this name has an id that is no code. */
export function holdsOtherIds(name: string): boolean {
  return holdersOfIds.has(wordsOf(name).at(-1) ?? '');
}

/** Returns what the name that ends at this word says; undefined if none ends here. */
function endOf(words: readonly string[], end: number): Name['says'] | undefined {
  const { spaced, unspaced } = namesKnown();
  const last = words[end - 1] ?? '';
  const fits = (word: string | undefined, stem: string): boolean =>
    word?.startsWith(stem) === true && word.length - stem.length <= maxEnding;
  const found =
    spaced
      .get(last.slice(0, 2))
      ?.find((name) =>
        name.words.every((stem, at) => fits(words[end - name.words.length + at], stem)),
      ) ?? unspaced.find((name) => last.endsWith(name.words[0] ?? ''));
  return found?.says;
}

/**
 * Splits a name into words, in small letters and without the accents of Latin, Greek and Cyrillic letters and the vowel signs of Arabic, which people
 * leave out: at spaces, at signs and before the capitals of camelCase.
 */
function wordsOf(text: string): string[] {
  const split = text
    .replaceAll(/([\p{Ll}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .toLowerCase();
  const folded = /^[\0-\x7f]*$/.test(split)
    ? split
    : split
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036F\u064B-\u0652]/g, '')
        .replaceAll('ı', 'i')
        .normalize('NFC');
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
