/**
 * What values are called: the name in front of a value decides whether it may be a purchase code, another id, or nothing known.
 *
 * A name is a row of words. Each word of a text may go on by three letters, as in plurals and cases. Words of scripts that set
 * no spaces are found at the end of a longer word.
 */
const namesOfCodes = [
  'purchase code, purchase key, license code, license key, licence code, licence key, license number, licence number',
  'activation code, activation key, registration code, registration key, product key, serial number, serial key, serial code',
  'serial no, unlock code, unlock key, cd key, software key, license serial',
  'kaufcode, kauf code, lizenzcode, lizenz code, lizenzkey, lizenz key, lizenzschlüssel, lizenz schlüssel, lizenznummer',
  'aktivierungscode, aktivierungsschlüssel, produktschlüssel, produktkey, registrierungscode, registrierungsschlüssel',
  'seriennummer, freischaltcode, einkaufscode',
  'code d achat, clé d achat, code de licence, clé de licence, clé d activation, code d activation, clé de produit',
  'clé produit, numéro de série, numéro de licence, clé d enregistrement',
  'código de compra, código de la compra, clave de compra, código de licencia, clave de licencia, clave de activación',
  'código de activación, clave de producto, clave del producto, número de serie, número de licencia, clave de registro',
  'código de licença, chave de licença, chave da licença, chave de ativação, código de ativação, chave do produto',
  'chave de produto, número de série, chave de registro, código da compra',
  'satın alma kod, satınalma kod, lisans anahtar, lisans kod, aktivasyon kod, aktivasyon anahtar, etkinleştirme kod',
  'etkinleştirme anahtar, ürün anahtar, seri numara, kayıt kod',
  'kode pembelian, kode lisensi, kunci lisensi, kode aktivasi, kunci aktivasi, kunci produk, nomor seri, kode registrasi',
  'mã mua hàng, mã mua, mã giấy phép, khóa giấy phép, khoá giấy phép, mã bản quyền, mã kích hoạt, khóa kích hoạt',
  'khóa sản phẩm, khoá bản quyền, key bản quyền, số sê-ri, số seri',
  'खरीद कोड, ख़रीद कोड, खरीदी कोड, लाइसेंस कुंजी, लाइसेंस कोड, लाइसेंस की, सक्रियण कोड, सक्रियण कुंजी, उत्पाद कुंजी, सीरियल नंबर',
  'رمز الشراء, رمز شراء, رموز الشراء, رموز شراء, كود الشراء, مفتاح الترخيص, رمز الترخيص, كود الترخيص, مفتاح التفعيل, رمز التفعيل, كود التفعيل, مفتاح المنتج',
  'الرقم التسلسلي, رقم الترخيص',
  '購入コード, ライセンスキー, ライセンスコード, プロダクトキー, シリアル番号, シリアルナンバー, シリアルキー, アクティベーションコード, アクティベーションキー',
  '認証コード, 購入キー, 登録コード',
  '购买代码, 购买码, 購買代碼, 購買碼, 许可证密钥, 许可证代码, 许可证号, 授权码, 授權碼, 激活码, 激活密钥, 啟用碼, 序列号, 序號, 产品密钥, 註冊碼, 注册码',
  '구매 코드, 구매코드, 라이선스 키, 라이센스 키, 라이선스 코드, 제품 키, 시리얼 번호, 인증 코드, 활성화 코드',
  'код покупк, код купівлі, лицензионный ключ, лицензионный код, ключ лицензи, код лицензи, ключ активаци, код активаци',
  'ключ продукт, серийный номер, регистрационный код, ключ ліцензії, ліцензійний ключ, код активації',
  'codice di acquisto, codice d acquisto, codice acquisto, codice licenza, chiave di licenza, codice di attivazione, numero di serie',
  'aankoopcode, licentiecode, licentiesleutel, activatiecode, productcode, serienummer, köpkod, licensnyckel, købskode, licensnøgle',
  'kjøpskode, lisensnøkkel, ostokoodi, lisenssiavain, kod zakupu, klucz licencji, klucz licencyjny, kod licencji, kod aktywacyjny',
  'numer seryjny, kód nákupu, licenční klíč, vásárlási kód, licenckulcs, cod de achiziție, codul de achiziție, cod de cumpărare',
  'κωδικός αγοράς, κλειδί άδειας, קוד רכישה, מפתח רישיון',
];

/** Last words of the names of other things. Before `id` stands what it is the id of. */
const lastWordsOfOthers = new Set(
  'guid uuid hwid udid identifier fingerprint thumbprint checksum hash md5 sha1 sha256 sha512 etag nonce revision commit'.split(
    ' ',
  ),
);
/** What has ids that are no codes, where the id itself is called no more than `id` inside of it. */
const holdersOfIds = new Set(
  'instance install installation machine device hardware client tenant report incident activity request message session trace user account event span customer variant store order correlation process app'.split(
    ' ',
  ),
);
/** Words before `id` that leave open what it is. */
const idsOfCodes = new Set(['purchase', 'key', 'code']);

/** What a name says of its value. `bare-code`: the word alone, which names a long code at most. `id`: of what stands around it. */
export type ValueName = 'code' | 'bare-code' | 'id' | 'other';

const unspacedScript = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]+$/u;
const unspaced: string[] = [];
/** The names by the beginning of their last word. */
const spaced = new Map<string, string[][]>();
for (const name of namesOfCodes.flatMap((line) => line.split(', '))) {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (unspacedScript.test(name)) unspaced.push(last);
  else spaced.set(last.slice(0, 2), [...(spaced.get(last.slice(0, 2)) ?? []), words]);
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
  const words = wordsOf(name);
  let behind = 0;
  for (let end = words.length; end > 0; end -= 1) {
    if (endsWithName(words, end)) return 'code';
    const word = words[end - 1] ?? '';
    behind += word.length + 1;
    const goesOn = isOpen && words.length - end < maxWordsBehind && behind <= maxLettersBehind;
    if (!goesOn || /\p{N}/u.test(word)) break;
  }
  const [before, last = ''] = [words.at(-2), words.at(-1)];
  if (/^codes?$/.test(last) && (before === undefined || before === 'my' || before === 'the'))
    return 'bare-code';
  if (last === 'id' || last === 'ids')
    return before === undefined ? 'id' : idsOfCodes.has(before) ? undefined : 'other';
  const isHolder = last.endsWith('id') && holdersOfIds.has(last.slice(0, -2));
  return isHolder || lastWordsOfOthers.has(last) ? 'other' : undefined;
}

/** Tells whether what stands under this name has an id that is no code. */
export function holdsOtherIds(name: string): boolean {
  return holdersOfIds.has(wordsOf(name).at(-1) ?? '');
}

function endsWithName(words: readonly string[], end: number): boolean {
  const last = words[end - 1] ?? '';
  const fits = (word: string | undefined, stem: string): boolean =>
    word?.startsWith(stem) === true && word.length - stem.length <= maxEnding;
  return (
    (spaced
      .get(last.slice(0, 2))
      ?.some((stems) => stems.every((stem, at) => fits(words[end - stems.length + at], stem))) ??
      false) ||
    unspaced.some((name) => last.endsWith(name))
  );
}

/**
 * Splits a name into words, in small letters and without the accents of Latin, Greek and Cyrillic letters, which people leave
 * out: at spaces, at signs and before the capitals of camelCase.
 */
function wordsOf(text: string): string[] {
  const folded = text
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
