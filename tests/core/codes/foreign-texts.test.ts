import { describe, expect, test } from 'vitest';

import { classifyInput } from '#core/codes/classify-input';
import { locateCodes } from '#core/codes/find-codes';
import { findCodes } from '#tests/core/codes/found-codes';

const code = '3d7c1f08-96be-4a25-b0d4-5e8fa2c7160b';
const other = '91ab44e0-7c2d-4f6e-8a3b-d05c6e1f7a92';
const gumroad = 'HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH';
const key = '7C19E0B4-D2A8356F-01F4BB7E-96D3C508';

const codesIn = (text: string, ...patterns: string[]): string[] =>
  findCodes(text, { patterns }).map((found) => found.code);

describe('what a text went through is undone before a code is looked for', () => {
  test.each([
    ['quoted-printable before it', `Purchase code:=C2=A0${code}=20`],
    ['quoted-printable in Latin-1', `Kaufcode:=A0${code}`],
    ['a tab in quoted-printable', `Code:=09${code}`],
    ['a soft line end in it', `Code: ${code.slice(0, 20)}=\r\n${code.slice(20)}`],
    [
      'every octet in quoted-printable',
      `key:${code.replaceAll(/./g, (character) => `=${character.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    ],
    [
      'a link in a link',
      `https://go.test/?url=https%3A%2F%2Fshop.test%2F%3Fpurchase_code%3D${code}&d=1`,
    ],
    ['a mail that a link begins', `mailto:help@shop.test?body=Purchase%20code%3A%0D%0A${code}`],
    ['what a form sent', `name=Ada&message=Hello%21+Purchase+code%3A+${code}+does+not+work&page=2`],
    ['plus signs for spaces', `https://desk.test/new?subject=x&body=Kaufcode:+${code}+Danke`],
    [
      'a defended link',
      `https://urldefense.proofpoint.com/v2/url?u=https-3A__shop.test_-3Fpurchase-5Fcode-3D${code.replaceAll('-', '-2D')}&d=DwMF`,
    ],
    [
      'a defended link of version 3',
      `https://urldefense.com/v3/__https://shop.test/?to=shop.test*3Fpurchase_code*3D${code}__;JSU!!AbC!d_E-f$`,
    ],
    ['a string of JSON', `{"text":"Your key:\\n${code}\\n"}`],
    ['JSON in JSON', JSON.stringify({ body: JSON.stringify({ html: `<p>\u00a0${code}</p>` }) })],
    [
      'references of characters',
      `Purchase code&colon;&nbsp;${code.replaceAll('-', '&#8209;')}&period;`,
    ],
    ['words that may break', `<p>code: ${code.slice(0, 18)}<wbr>${code.slice(18)}</p>`],
    ['Markdown of a chat', `Code: ${code.replaceAll('-', String.raw`\-`)}`],
    [
      'full width and the digits of another script',
      `コード：${code.replace('08', '０８').replace('25', '٢٥')}`,
    ],
    [
      'Cyrillic letters that look the same',
      `Purchase code: ${code.replace('c', '\u0441').replace('a', '\u0430')}`,
    ],
    ['underscores for its dashes', `my code ${code.replaceAll('-', '_')} ok`],
    [
      'a part of a mail in base64',
      `Content-Transfer-Encoding: base64\r\nX-Id: 1\r\n\r\n${btoa(`Your code: ${code}`)}\r\n--x--`,
    ],
    ['a subject in base64', `Subject: =?UTF-8?B?${btoa(`Kaufcode: ${code}`)}?=`],
    [
      'a subject whose words were folded',
      `Subject: =?utf-8?Q?Kaufcode=3A_${code.slice(0, 11)}?=\r\n =?utf-8?Q?${code.slice(11)}_f=C3=BCr?=`,
    ],
    [
      'Rich Text',
      String.raw`{\rtf1\ansi{\b Kaufcode:}\~${code.replaceAll('-', String.raw`\_`)}\par}`,
    ],
    [
      'Rich Text in octets',
      String.raw`{\rtf1 code: ${code.replaceAll('-', String.raw`\'2d`)}\par}`,
    ],
    [
      'Rich Text in units',
      String.raw`\pard code: ${code.replaceAll('-', String.raw`\u8209?`)}\par`,
    ],
    ['the colour of a terminal', `\u001B[32m${code}\u001B[0m`],
    ['a colour that is shown as letters', `Purchase code: ^[[1;33m${code}^[[39m`],
    ['a colour that lost its beginning', `Purchase code: [32m${code}[0m`],
    ['characters that a camera reads as dashes', `code ${code.replaceAll('-', '~')}`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([code]);
  });

  describe('UTF-8 that was read as Windows-1252', () => {
    const windows = new TextDecoder('windows-1252');
    const misread = (text: string): string => windows.decode(new TextEncoder().encode(text));

    test.each([
      'Votre clé de licence :',
      'Lizenzschlüssel:',
      'Código de activación:',
      'Satın alma kodu:',
      'Mã kích hoạt:',
      'लाइसेंस कुंजी:',
      'كود الشراء:',
      'ライセンスキー：',
      '激活码：',
      'Лицензионный ключ:',
    ])('%s', (name) => {
      expect(codesIn(misread(`${name} SHP-44712-XQ`))).toEqual(['SHP-44712-XQ']);
      // Nor does a text lose anything that only looks so.
      expect(codesIn(`Ça â ${name} SHP-44712-XQ é”`)).toEqual(['SHP-44712-XQ']);
    });

    test('its dashes and spaces stand in a code', () => {
      expect(codesIn(misread(`Code: ${code.replaceAll('-', '–')}`))).toEqual([code]);
      expect(codesIn(misread(`Code:\u00A0${code.replaceAll('-', '\u2011')}”`))).toEqual([code]);
    });
  });

  test('a ligature that a PDF writes for two letters is both', () => {
    const whole = '4f1c93ad-62b7-4e0d-9c58-ff71d20ab3e6';
    expect(codesIn(`Purchase code: ${whole.replace('ff', '\uFB00')}`)).toEqual([whole]);
  });

  test('a letter that is not ASCII behind a dash cuts no code', () => {
    expect(codesIn(`Purchase code: ${code.slice(0, 24)}\u00DF${code.slice(26)}`)).toEqual([]);
  });

  test('each element of XML in one line has a value of its own', () => {
    expect(codesIn(`<keys><key>${code}</key><key>${other}</key></keys>`)).toEqual([code, other]);
    expect(codesIn('<serial>SHP-44712-XQ</serial><serial>SHP-90331-BD</serial>')).toEqual([
      'SHP-44712-XQ',
      'SHP-90331-BD',
    ]);
    expect(codesIn(`<Key>${code}</Key><InstanceId>${other}</InstanceId>`)).toEqual([code]);
    expect(codesIn(`<span>${code.slice(0, 9)}</span><span>${code.slice(9)}</span>`)).toEqual([
      code,
    ]);
    // A converter of PDF writes a paragraph for each line.
    expect(codesIn(`<p>${code.slice(0, 19)}</p>\n<p>${code.slice(19)}</p>`)).toEqual([code]);
  });

  test('and the place of the code is the one in the source', () => {
    const text = `Hi=20there, code:=C2=A0${code}=20=\r\nbye`;
    const [found] = locateCodes(text, []);
    expect(text.slice(found?.start, found?.end)).toBe(code);
  });

  test('an escape that may stand there by chance cuts no code', () => {
    const likeEscape = 'a0b94e12-3c5d-4e6f-8a7b-9c0d1e2f3a4b';
    expect(codesIn(`https://shop.test/?purchase_code=${likeEscape}`)).toEqual([likeEscape]);
    expect(codesIn(`Purchase code=${likeEscape.toUpperCase()}`)).toEqual([
      likeEscape.toUpperCase(),
    ]);
    expect(codesIn('license_key=20LIC-55-XKCD')).toEqual(['20LIC-55-XKCD']);
  });

  test.each([
    ['an empty setting', 'SITE_URL=\nLICENSE_KEY=A1B2C3-D4E5F6-77\nPORT=8080', 'A1B2C3-D4E5F6-77'],
    ['an empty last setting', 'export LICENSE_KEY=B2-44-XKCD-9\nexport URL=\n', 'B2-44-XKCD-9'],
    ['padding at the end of a line', 'sale_id=Qm4k==\nlicense_key=C3-44-XKCD-9', 'C3-44-XKCD-9'],
    ['a price', 'price=1500&license_key=D4-44-XKCD-9', 'D4-44-XKCD-9'],
  ])('nor does it with %s', (_, text, key) => {
    expect(codesIn(text)).toEqual([key]);
  });

  test('it cuts none either where a value behind it is called something else', () => {
    const key = '94E1B7D2-60C8-4F35-8A1D-2B7C5E90F364';
    const text = `license_key=${key}&instance_id=c5b0f2d1-7e64-4a98-b3c7-1d8e5f0a6b29`;
    expect(classifyInput(text)).toMatchObject({ kind: 'codes', codes: [{ code: key }] });
  });

  test('a fragment of what an escape goes on with is no code', () => {
    expect(codesIn(`id ${code}%2DABCD`)).toEqual([]);
    expect(codesIn(`id ${code}=\r\n99`)).toEqual([]);
  });
});

describe('words glued behind a code are no part of it', () => {
  test.each([
    `${code}Purchase Date: 2019-05-01`,
    `${code}Licensee`,
    `code:${code}please help`,
    `Code:${code.toUpperCase()}Date`,
  ])('%s', (text) => {
    expect(codesIn(text).map((one) => one.toLowerCase())).toEqual([code]);
  });

  test.each(['Expires: 2027', 'Purchase Date', 'Licensed to Ada'])(
    'nor of a key of capitals: %s',
    (words) => {
      expect(codesIn(`License key: SHP-44712-XQ9${words}`)).toEqual(['SHP-44712-XQ9']);
    },
  );

  test('and a name glued in front of a code is none of it', () => {
    expect(codesIn(`Purchase code${code}`)).toEqual([code]);
    expect(codesIn(`License Key${key} Seats 5`, gumroad)).toEqual([key]);
    expect(codesIn(`KEY-${code}, monkey_${code}, donk${code}`)).toEqual([]);
  });

  test.each([`${code}99`, `${code}z`, `${code}Q7`])('but %s is none', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

describe('what a value is called decides what it is', () => {
  test.each([
    'Serial number',
    'Product key',
    'Registration code',
    'License No',
    'licenseKey',
    'purchase_code',
    'CD-Key',
    'Key code',
    'Serial #',
    'S/N',
    'orbit.license.key',
    'Seriennummer',
    'Ihr Lizenzschlüssel',
    'Aktivierungscode',
    'clé d’activation',
    'Numéro de série',
    'Clave de activación',
    'codigo de compra',
    'chave de licença',
    'Código de ativação',
    'Lisans anahtarınız',
    'Satın alma kodum',
    'Kunci lisensi',
    'Mã kích hoạt',
    'khóa bản quyền',
    'लाइसेंस कुंजी',
    'مفتاح التفعيل',
    'ключ активации',
    'Лицензионный ключ',
    'ライセンスキー',
    '激活码',
    '许可证密钥',
    '라이선스 키',
    'Chiave di licenza',
    'Lizenz-Key',
    'Seriennr.',
    'Serien-Nr.',
    'LICENSEKEY',
    'SN',
    'Klucz licencyjny',
    'Numer seryjny',
    'Licenckulcs',
    'Licensnøgle',
    'Cheie de licență',
    'Ліцензійний ключ',
    '라이선스 키는',
    'ライセンスキーは「',
    '许可证密钥为：',
    'Din licensnøgle er',
    'Lizenzschluessel',
    'मेरा एक्टिवेशन कोड',
    'Kunci lesen',
    'Kod pengaktifan',
    'Nombor siri',
    'Licencijos raktas',
    'Pirkimo kodas',
    'Aktyvinimo kodas',
    'Serijos numeris',
    'Licences atslēga',
    'Pirkuma kods',
    'Aktivizācijas kods',
    'Sērijas numurs',
    'Litsentsivõti',
    'Ostukood',
    'Seerianumber',
    'کد خرید',
    'Licenčný kľúč',
    'Licencni ključ',
    'Лиценцни кључ',
    'Clau de llicència',
    'کلید لایسنس',
    'کد فعال\u200Cسازی',
    '序號',
    'Registrierungsschlüssel',
    'Seri numarası',
    'Activeringscode',
    'رقم الرخصة',
    'Licence n°',
    'N° de licence',
    'Lisence key',
    'Liscense key',
    'परचेज कोड',
    'سيريال',
    'رقم السيريال',
    'كود التنشيط',
    '製品キー',
    'シリアル',
    'Seriale',
    'No. de serie',
    'Nº de licencia',
    'N.º de série',
    'Nro. de serie',
    'Nákupní kód',
    'Sériové číslo',
    'Kod kupnje',
    'Код за покупка',
    'Κωδικός ενεργοποίησης',
    'קוד הפעלה',
    'لائسنس کی',
    'লাইসেন্স কী',
    'உரிம விசை',
    'รหัสลิขสิทธิ์',
    'คีย์ใบอนุญาต',
    'รหัสเปิดใช้งาน',
    'Redeem code',
    'AppSumo redemption code',
    'No. seri',
    'No. lisensi',
  ])('%s: a code', (name) => {
    expect(codesIn(`${name}: SHP-44712-XQ`)).toEqual(['SHP-44712-XQ']);
  });

  test.each([
    'Instance ID',
    'instanceId',
    'instance_id',
    'install_id',
    'Machine ID',
    'HWID',
    'Hardware ID',
    'client_id',
    'Report Id',
    'ActivityID',
    'Guid',
    'UUID',
    'request id',
    'ID de la instalación',
    'ID do dispositivo',
    'ID da instalação',
    'Gerätekennung',
    "Identifiant de l'appareil",
    'Cihaz kimliği',
    'Cihaz kimliğim',
    'Payment Key',
    'ID perangkat',
    'ID perangkat saya',
    'ID peranti',
    'Įrenginio ID',
    'Ierīces ID',
    'Seadme ID',
    '端末ID',
    '机器码',
    'ID thiết bị',
    'Mã thiết bị',
    'ID cài đặt',
    'डिवाइस आईडी',
    'معرّف الجهاز',
    'ID устройства',
    'デバイスID',
    '设备ID',
    'CLSID',
    'PARTUUID',
    'PHPSESSID',
    '设备编号',
    'デバイス番号',
    'session.id',
    'uuid.location',
    'rid',
    'Public key',
    'AUTH_KEY',
    'Idempotency-Key',
    'API key',
    'Hardware key',
    'DeviceKey',
    'InstrumentationKey',
    'access_token',
    'client_secret',
    'Password',
    'Content-ID',
    'Tenant',
    'machineguid',
    'Machine',
    'Device',
    'Node',
    'Machine code',
    'Hardware code',
    'license_key_id',
    'ID pesanan',
    'ID заказа',
    '注文ID',
    'מזהה מכשיר',
    '裝置識別碼',
    'NONCE_SALT',
    'apikey',
    'x-amzn-requestid',
    'transactionid',
    'cachekey',
    'state',
    'Activity',
    'Mã máy',
    'Kode mesin',
    'Kode perangkat',
    'كود الجهاز',
    'رمز الجهاز',
    'मशीन कोड',
    'Makine kodu',
    'Cihaz kodu',
    'Donanım kodu',
    '硬件码',
    '設備碼',
    'マシンコード',
    '端末識別子',
    'Código de máquina',
    'Maschinencode',
    'Gerätecode',
    'Request code',
    'Installation code',
  ])('%s: another id, or a secret', (name) => {
    expect(codesIn(`${name}: ${code}`)).toEqual([]);
    expect(codesIn(`{"${name}":"${code}"}`)).toEqual([]);
    expect(codesIn(`<x ${name}="{${code}}" />`)).toEqual([]);
  });

  test.each(['Purchase token', 'Código da licença', 'Alma kimliği', 'Jeton de licence'])(
    '%s: a code',
    (name) => {
      expect(codesIn(`${name}: ${code}`)).toEqual([code]);
    },
  );

  test.each([
    String.raw`C:\Users\lena\AppData\Local\Temp\${code}\setup.log`,
    String.raw`HKEY_CLASSES_ROOT\CLSID\{${code}}`,
    `/var/lib/volumes/${code}/_data`,
    `${code}.dmp`,
  ])('%s is a path', (text) => {
    expect(codesIn(text)).toEqual([]);
  });

  test.each([`Orbit/${code}`, `Purchase code/${code}`, `see /code/${code}`])(
    '%s is none',
    (text) => {
      expect(codesIn(text)).toEqual([code]);
    },
  );

  test('a line that is broken inside of an escape', () => {
    expect(codesIn(`{"body":"Chave=A0da=A0licen\\u00e7a:=A0${code}\\=\r\nnN\\u00e3o"}`)).toEqual([
      code,
    ]);
  });

  test('a name of two words that a line end parts', () => {
    expect(codesIn('Mã mua \nhàng: =\nSHP-44712-XQ')).toEqual(['SHP-44712-XQ']);
  });

  test('references whose line was broken before their end', () => {
    const reference = '&#76;icense key: LIC-10000&#45=\r\n;AAAA&#10;Thanks&#3=\r\n3;';
    expect(codesIn(reference)).toEqual(['LIC-10000-AAAA']);
  });

  test('a day that was glued to a code is no part of it', () => {
    expect(codesIn(`Purchase code: ${code}2025-01-02 12:00`)).toEqual([code]);
  });

  test('a report aligns its values with spaces', () => {
    const report = `Anonymous UUID:         ${other}\nSerial number         : SHP-44712-XQ`;
    expect(codesIn(report)).toEqual(['SHP-44712-XQ']);
  });

  test('an id takes its name from the object that it stands in', () => {
    const reply = {
      valid: true,
      license_key: { id: 7, key: code },
      instance: { id: other, name: 'x' },
    };
    expect(codesIn(JSON.stringify(reply))).toEqual([code]);
    expect(codesIn(JSON.stringify(reply, undefined, 2))).toEqual([code]);
    expect(codesIn(JSON.stringify(JSON.stringify(reply)))).toEqual([code]);
  });

  test.each([
    ['Serial Number: 12655831530416757421 (0xafa28bb933addaad)'],
    ['#Serial number: 00C48C8D'],
    ['for <code>chacha20-poly1305</code> only'],
    ['NewSerialNumber()\n    xf86RandRSetInitialMode()'],
    ['License: MIT-0-2024-draft'],
    ['License key: not-found-anywhere'],
    ['Master key: QXNT4471882KWD'],
    ['Verified with the MAC key (QXN-2022-1434)'],
    ['<code>serializer.writeUint32(value)</code>'],
    ['keyword.isKeywordES5(id, strict)'],
  ])('%s holds none', (text) => {
    expect(codesIn(text)).toEqual([]);
  });

  test('a labelled key of capitals alone is one', () => {
    expect(codesIn('license_key=LIC-YWYQUC-TYHS')).toEqual(['LIC-YWYQUC-TYHS']);
    expect(codesIn('License key: QWERT-ASDFG-ZXCVB-POIUY')).toEqual(['QWERT-ASDFG-ZXCVB-POIUY']);
  });

  test('a tag is a name', () => {
    expect(codesIn('<license_key>SHP-44712-XQ</license_key>')).toEqual(['SHP-44712-XQ']);
    expect(codesIn(`<InstanceId>${code}</InstanceId>`)).toEqual([]);
  });
});

describe('a word for keys or licenses alone names what looks like a key', () => {
  const keyOfShop = 'NK4T-8R2B-WQ71-H6ZM';

  test.each([
    `Licensed to: Ada Byron\nKey: ${keyOfShop}`,
    `my key is ${keyOfShop}`,
    `The key ${keyOfShop} isn't accepted`,
    `License: ${keyOfShop}`,
    `Schlüssel: ${keyOfShop}`,
    `Clé : ${keyOfShop}`,
    `Clave: ${keyOfShop}`,
    `Ключ: ${keyOfShop}`,
    `الترخيص: ${keyOfShop}`,
    `المفتاح: ${keyOfShop}`,
    `HARBOUR_LICENSE=${keyOfShop}`,
    `$ harbour --key=${keyOfShop}`,
    `harbour://activate?key=${keyOfShop}`,
    `{"data":{"id":"${code}","type":"licenses","attributes":{"key":"${keyOfShop}"}}}`,
    `Key:\n  1. ${keyOfShop}`,
    `Your license key(s)\nHarbour theme\n${keyOfShop}\n`,
    `Product  Quantity  Price\nHarbour  1  59,00 €\nLicense key(s)\n${keyOfShop}\nValid until 2026-11-27`,
    `<h2>Your license keys</h2><table><tr><th colspan="2">Harbour</th></tr><tr><td>${keyOfShop}</td><td>2026</td></tr></table>`,
    `License keys:\nHarbour Pro — ${keyOfShop}`,
    `{"license_keys":["${keyOfShop}"],"seats":3}`,
    `-----BEGIN LICENSE KEY-----\n${keyOfShop}\n-----END LICENSE KEY-----`,
    `{"id":8812,"body":"Lizenzschlüssel:\\n--------------------\\n${keyOfShop}\\n"}`,
  ])('%j', (text) => {
    expect(codesIn(text)).toEqual([keyOfShop]);
  });

  test.each([
    'Key: uploads/2026-11-03-shot-77',
    'Cache key: harbour-3-1-0-settings',
    'Code license: Apache-2.0',
    'License: CC-BY-SA-4.0',
    'License: MIT-0-2024',
    'Key: Ctrl-Shift-F12',
    `API key: ${keyOfShop}`,
    `Discount key word: ${keyOfShop}`,
  ])('but %j has none', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test('a name goes on with the program that its key is for', () => {
  const key = 'NK4T-8R2B-WQ71-H6ZM';
  expect(codesIn(`License key for my WordPress site: ${key}`)).toEqual([key]);
});

test('a code among plain words is found beside another', () => {
  expect(codesIn(`${code}\nIt does not work, in a word ${other} is the second one`)).toEqual([
    code,
    other,
  ]);
});

test('a sentence above a code that ends with the word for a machine is no heading', () => {
  expect(codesIn(`Please remove my license from my old machine\n\n${code}`)).toEqual([code]);
});

test.each(['The purchase code of my client', 'License key for the new machine'])(
  '%s: a code',
  (name) => {
    expect(codesIn(`${name}: ${code}`)).toEqual([code]);
  },
);

describe('words between a name and its value', () => {
  test.each([
    'The license key for the theme is',
    'The license key in your mail was',
    'the activation code that I received by mail is',
    'Der Lizenzschlüssel für das Plugin ist',
    'La clé de licence de mon site est',
    'El código de compra del tema es',
    'A chave de ativação do plugin é',
    'Mã kích hoạt của tôi là',
    'Kode pembelian saya adalah',
    'kode aktivasi saya',
    'मेरी लाइसेंस कुंजी है',
    'رمز الشراء الخاص بي هو',
    'My license key is below\n\n',
    'mein Lizenzschlüssel steht unten\n',
    'Ma clé de licence est ci-dessous\n',
    'My serial number is as follows:\n\n',
    'What is your license key?\n',
  ])('%j', (name) => {
    expect(codesIn(`${name} SHP-44712-XQ`)).toEqual(['SHP-44712-XQ']);
  });

  test('in front of a key in parentheses', () => {
    const key = 'NK4T-8R2B-WQ71-H6ZM';
    expect(codesIn(`The license key from your mail (${key}) is refused`)).toEqual([key]);
    expect(codesIn(`Der Lizenzschlüssel aus der Mail („${key}“) geht nicht`)).toEqual([key]);
    expect(codesIn(`I have no license key for my order (${key})`)).toEqual([]);
  });

  test.each([
    'Ticket\n8812,"License key:',
    'Device\n2025-01-02 License key:',
    'Session\n4.1.2 license key:',
  ])('behind a number or a day that is no time of a chat: %j', (name) => {
    expect(codesIn(`${name} SHP-44712-XQ`)).toEqual(['SHP-44712-XQ']);
  });

  test.each([
    'I lost my license key, my order:',
    'Please send the license key again, order number:',
    'Where is the activation code for invoice:',
    'my license key was in the mail and the invoice is',
    'License key: none yet, Order:',
    'Licencia pendiente, No. de pedido:',
    'Lisensi belum ada, no. pesanan:',
  ])('%s names something else', (name) => {
    expect(codesIn(`${name} ORD-2025-11-0042`)).toEqual([]);
  });
});

describe('an id counts where nothing else does', () => {
  test.each([
    `stdClass Object\n(\n    [id] => ${other}\n    [purchase_code] => ${code}\n)`,
    `[license]\nkey = "${code}"\nid = "${other}"`,
    `license:\n  key: ${code}\n  id: ${other}`,
    `<license>\n  <id>${other}</id>\n  <key>${code}</key>\n</license>`,
    `id            | ${other}\npurchase_code | ${code}`,
    `Please deactivate ${code} on my device ${other}`,
    `{"data":{"customer":{"nodes":[{"id":"${other}","purchaseCode":"${code}"}]}}}`,
  ])('%j', (text) => {
    expect(codesIn(text)).toEqual([code]);
  });

  test.each([
    `The check fails on my device ${code}`,
    `It worked on my old device\n${code}`,
    `[license]\nid = ${code}`,
  ])('%j', (text) => {
    expect(codesIn(text)).toEqual([code]);
  });
});

describe('beside a code, an id under an unknown name of a setting is none', () => {
  test.each([
    ['JSON, in front of a key', `{"visitor":"${other}","license_key":"SHP-44712-XQ"}`],
    [
      'JSON in JSON',
      JSON.stringify(JSON.stringify({ visitor: other, license_key: 'SHP-44712-XQ' })),
    ],
    ['YAML', `visitor: ${other}\nlicense_key: SHP-44712-XQ`],
    ['headers', `X-Visitor: ${other}\r\nX-License-Key: SHP-44712-XQ`],
    ['a command', `app --visitor ${other} --license-key SHP-44712-XQ`],
    ['a table whose next column looks alike', 'license_key;visitor\nSHP-44712-XQ;SHP-90331-BD\n'],
  ])('in %s', (_, text) => {
    expect(codesIn(text)).toEqual(['SHP-44712-XQ']);
  });

  test('but it counts alone, and so does an item’s name', () => {
    expect(codesIn(`visitor: ${other}`)).toEqual([other]);
    expect(codesIn(`Orbit: ${other}\nlicense_key: SHP-44712-XQ`)).toHaveLength(2);
  });
});

describe('a heading names the keys below it', () => {
  const [keyOfShop, second] = ['NK4T-8R2B-WQ71-H6ZM', 'B7QX-2LM9-TT40-WD3E'];
  const sum = 'c1f09e7b3a5d48269b0ed4f7a2c6835e';

  test.each([
    `License keys\nHarbour: ${keyOfShop}\nOrbit Pro: ${second}`,
    `Ihre Lizenzschlüssel\n- Harbour: ${keyOfShop}\n- Orbit: ${second}\n`,
    `<h3>Licenses</h3><ul><li>Harbour - <b>${keyOfShop}</b></li><li>Orbit - <b>${second}</b></li></ul>`,
    `Serials: ${keyOfShop}, ${second}`,
  ])('each behind its product: %j', (text) => {
    expect(codesIn(text)).toEqual([keyOfShop, second]);
  });

  test.each([
    `Hi, these are my license keys:\na) ${keyOfShop}\nb) ${second}`,
    `Hallo, hier meine Lizenzschlüssel:\n\nOrbit: ${keyOfShop}\nHarbour Pro: ${second}\n\nJörg`,
    `Satın alma kodlarım:\nshop.example: ${keyOfShop}\nsite 2: ${second}`,
    `My purchase codes are: 1) ${keyOfShop}\n2) ${second}`,
    `Mes codes d'achat :\n[ ] ${keyOfShop}\n[x] ${second} (déjà utilisé)`,
    `Purchase code: ${keyOfShop} – $49\n2 March – ${second} – $59`,
    `Orbit\n${keyOfShop}\n\nHarbour, license key ${second}`,
    `License keys #1: ${keyOfShop}\n#2: HWRT-QKMX-BVNP-LDSZ\n#3: ${second}`,
  ])('whatever else stands between, keys of the same groups are all found: %j', (text) => {
    expect(codesIn(text)).toEqual(expect.arrayContaining([keyOfShop, second]));
  });

  test.each([
    `License key: ${keyOfShop}\nCard: 4111-1111-1111-1111`,
    `License key: ${keyOfShop}. I paid with 5500-0000-0000-0004 in May.`,
  ])('but of the same groups, what has digits alone is none, as a card: %j', (text) => {
    expect(codesIn(text)).toEqual([keyOfShop]);
  });

  test('also a bare one of a connection', () => {
    expect(codesIn(`License Keys\nHarbour: ${sum}\nPayment ID: 5512`, 'H'.repeat(32))).toEqual([
      sum,
    ]);
  });

  test.each([
    `We need your license key.\nOrder: ${keyOfShop}`,
    `Please send the license key.\nPart ${keyOfShop}, ordered under PO 4471\nPart ${second}`,
    `We need your license key.\nOrder:\n${keyOfShop}`,
    `Please send your license key\nOrder — ${keyOfShop}`,
    `Please send the activation code once more\nParcel — ${keyOfShop}`,
    `Wir brauchen Ihren Lizenzschlüssel.\nBestellung – ${keyOfShop}`,
    `License key\nOrder: ${keyOfShop}`,
    `License key\nReference: ${keyOfShop}`,
    `License key:\n\nInvoice no. - ${keyOfShop}`,
    `License key\nMachine: ${keyOfShop}`,
    `License key\nCustomer no.: ${keyOfShop}`,
    `Licenses\nCoupon: ${keyOfShop}`,
    `ライセンスキーをお送りください。\n注文番号：\n${keyOfShop}`,
  ])('but no number of an order or a machine: %j', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

describe('a sentence says that the key follows', () => {
  test.each([
    'My license key is as follows:',
    'Mein Lizenzschlüssel lautet wie folgt',
    'Mein Aktivierungscode ist folgender:',
    'Ma clé de licence est la suivante :',
    'Mi clave de licencia es la siguiente:',
    'Minha chave de licença é a seguinte:',
    'Lisans anahtarım aşağıdaki gibidir:',
    'Mã kích hoạt của tôi như sau:',
    'Kunci lisensi saya adalah sebagai berikut:',
    'Мой лицензионный ключ ниже',
    'La mia chiave di licenza è qui sotto',
    'Mój klucz licencyjny poniżej',
    'Mijn licentiesleutel staat hieronder',
    '라이선스 키는 아래와 같습니다',
    'ライセンスキーは以下の通りです。',
    'シリアル番号は下記のとおりです：',
    'プロダクトキーは次になります。',
    '我的激活码如下：',
    '许可证密钥如下所示',
    'मेरी लाइसेंस कुंजी इस प्रकार है:',
    'مفتاح الترخيص كما يلي:',
    'Мой лицензионный ключ следующий:',
  ])('%s', (sentence) => {
    expect(codesIn(`${sentence}\nNK4T-8R2B-WQ71-H6ZM`)).toEqual(['NK4T-8R2B-WQ71-H6ZM']);
  });
});

describe('dashes in keys of any form', () => {
  test.each(['--', '—–', '\u2011\u2011'])('are one where each is doubled: %j', (dashes) => {
    for (const whole of ['NK4T-8R2B-WQ71-H6ZM', 'LIC-2027-XYZW7', '1A2B3C4D5E-6F7G8-9H0I1-J2K3L'])
      expect(codesIn(`License key: ${whole.replaceAll('-', dashes)} ok`)).toEqual([whole]);
  });

  test.each(['--it fails', '--HELP', ' -- HELP', '—thanks', '—Thanks', '–it fails'])(
    'part a key from the words of a sentence: %s',
    (words) => {
      expect(codesIn(`License key: NK4T-8R2B-WQ71-H6ZM${words}`)).toEqual(['NK4T-8R2B-WQ71-H6ZM']);
    },
  );

  test('may be followed by spaces where parts were copied one by one', () => {
    expect(codesIn('License code: 3F81C2A7-90BD41E6-  7712D3A0-C4E85B19 ')).toEqual([
      '3F81C2A7-90BD41E6-7712D3A0-C4E85B19',
    ]);
    expect(codesIn('License key: NK4T-8R2B-WQ71-H6ZM- 2025 edition')).toEqual([
      'NK4T-8R2B-WQ71-H6ZM',
    ]);
  });

  test.each(['NK4T-8R2B-WQ71-…', 'NK4T-8R2B-WQ71-...', 'NK4T-8R2B-WQ71-=E2=80=A6'])(
    'show that a key is cut, which is never sent: %s',
    (cut) => {
      expect(classifyInput(`License key: ${cut} help`).kind).toBe('nothing');
    },
  );

  test('of a name in front of a license of another make are no code', () => {
    expect(
      codesIn(`License key: orbit-2027-01-01/WyJxN3QiLFsiKi5hZGEu.${'aB3_'.repeat(20)}`),
    ).toEqual([]);
  });

  test('part two keys', () => {
    const keys = ['NK4T-8R2B-WQ71-H6ZM', 'B7QX-2LM9-TT40-WD3E'];
    expect(codesIn(`License keys: ${keys.join(' – ')}`)).toEqual(keys);
  });

  test.each(['1A2B3C4D5E--6F7G8-9H0I1-J2K3L', '1A2B3C4D5E-6F7G8-9H0I1--J2K3L'])(
    'are one where one of them is doubled: %s',
    (written) => {
      expect(codesIn(`Purchase code: ${written}`)).toEqual(['1A2B3C4D5E-6F7G8-9H0I1-J2K3L']);
    },
  );

  test.each(['R4DT QW7X 8MZK PL2V', 'R4DT_QW7X_8MZK_PL2V', 'R4DT - QW7X - 8MZK - PL2V'])(
    'may be spaces or underscores between groups of one length: %s',
    (written) => {
      expect(codesIn(`License key: ${written}\nThanks`)).toEqual(['R4DT-QW7X-8MZK-PL2V']);
      expect(codesIn(`Our street: ${written}`)).toEqual([]);
    },
  );

  test.each([
    'License key\nES91 2100 0418 4502 0005 1332',
    'License key\nGB29 NWBK 6016 1331 9268 19',
    'License key\n1Z 999 AA1 01 2345 6784',
    'License key: SEE OUR SHOP PAGE 2026',
  ])('but not in an account, a parcel or words: %j', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test('all of a mail is read whose header has an encoded word', () => {
  const filler = 'Received: from mx.shop.test by mail.shop.test with ESMTPS\r\n'.repeat(12);
  const mail = `From: =?utf-8?Q?J=C3=B6rg?= <j@shop.test>\r\n${filler}Content-Type: text/html\r\n\r\n`;
  expect(codesIn(`${mail}<td>License key</td></tr><tr><td>SHP-44712-XQ</td>`)).toEqual([
    'SHP-44712-XQ',
  ]);
});

test('a name in front of a key may have a number', () => {
  const [first, second] = ['SHP-44712-XQ', 'SHP-90331-BD'];
  expect(codesIn(`License key 1: ${first}\nLicense key #2: ${second}`)).toEqual([first, second]);
});

describe('a name stands behind a key', () => {
  const keyOfShop = 'NK4T-8R2B-WQ71-H6ZM';

  test.each([
    'is my license key',
    '(license key)',
    '– the activation code from your mail',
    'ist mein Lizenzschlüssel.',
    'est ma clé de licence, merci',
    'lisans anahtarım',
    'がライセンスキーです',
  ])('%s', (name) => {
    expect(codesIn(`Hello, ${keyOfShop} ${name}`)).toEqual([keyOfShop]);
  });

  test.each([
    `Order ${keyOfShop} license key missing`,
    `${keyOfShop}: license key missing`,
    `My device ${keyOfShop} asks for a license key`,
    'ORD-2026-00417 license key missing',
  ])('but not in: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test.each([
  'License key type: PRO-2027-ANNUAL',
  'License key count: 44718826',
  'License key error: LIC-4021-ERR',
  'Purchase code status: HTTP-404-GONE',
])('what is said of a code is none: %s', (text) => {
  expect(codesIn(text)).toEqual([]);
});

describe('a key that other characters join', () => {
  test.each([
    'ORB_8F2K_9DXQ_4LMPX',
    'nia_live_8f2K9dxQ4lmP77tq',
    'ORBIT_5c1d8e2f-07ab-4c39-9d64-e1f2a3b4c5d6',
    '5c1d8e2f-07ab-4c39-9d64-e1f2a3b4c5d6_PRO',
    '8F2K.9DXQ.4LMP.77TQ',
    'dGVzdDEyMzQ1Njc4OTAxMg==',
  ])('is whole behind its label: %s', (whole) => {
    expect(codesIn(`License key: ${whole}\nThanks`)).toEqual([whole]);
    expect(codesIn(`{"license_key":"${whole}","status":"active"}`)).toEqual([whole]);
    expect(codesIn(`LICENSE_KEY=${whole}`)).toEqual([whole]);
    expect(codesIn(`Session: ${whole}`)).toEqual([]);
    expect(classifyInput(`“${whole}”.`)).toMatchObject({ kind: 'odd', code: whole });
  });

  test.each(['sk_live_8f2K9dxQ4lmP77tq', 'dGVzdDEyMzQ1Njc4OTAxMjM=', 'orbit_8f2k_9dxq@shop.test'])(
    'a secret, a part of base64 and an address are none, alone either: %s',
    (text) => {
      expect(classifyInput(text).kind).toBe('nothing');
    },
  );

  test.each([
    'License key server: lic01.eu-west-2.shop.test',
    'License key file: orbit_2f4b_77xq.lic',
    'License key: your_license_key_123a',
    'License key: ORBIT_LICENSE_KEY_2027',
    'License key path: /etc/orbit_8f2k_9dxq',
    'License key: orbit_8f2k_9dxq@shop.test',
    'License key: ORB_8F2K_9DXQ_…',
    'License key: ORB_8F2K_9DXQ_****',
  ])('but not: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test.each([
  'Incident number:',
  'Error code:',
  'Case number:',
  'Vorgangsnummer:',
  'Código de error:',
  'Support-Referenz',
  'Please contact support with this reference:',
])('a number of what went wrong is no code, even where there is no other: %s', (name) => {
  expect(codesIn(`${name} 5c1d8e2f-07ab-4c39-9d64-e1f2a3b4c5d6`)).toEqual([]);
});

test('a key of a cloud stays one where a line of a mail was broken before it', () => {
  const mail = 'HostId: abc=\narn:aws:kms:eu-1:1234:key/5c1d8e2f-07ab-4c39-9d64-e1f2a3b4c5d6';
  expect(codesIn(mail)).toEqual([]);
});

test.each([
  'QX4T8R2B+WQ71H6ZM',
  'QX4T8R2B/WQ71H6ZM',
  'QX4T8R2B~WQ71',
  'QX4T8R2B#WQ71',
  'QX4T8R2B$WQ71',
])('a part of a key with other characters is none: %s', (whole) => {
  expect(codesIn(`License key: ${whole}`)).toEqual([]);
});

describe('a link ends where the cell of a row ends', () => {
  const keyOfShop = 'NK4T-8R2B-WQ71-H6ZM';

  test.each([
    ['CSV', `site,purchase code\nhttps://orbit.test,${code}\nhttps://harbour.test/shop,${other}`],
    [
      'semicolons',
      `Webseite;Kaufcode\nhttps://orbit.test/;${code}\nhttps://harbour.test/;${other}`,
    ],
    ['rows without headings', `https://orbit.test,${code}\nhttps://harbour.test,${other}`],
    [
      'Markdown',
      `|Site|Code|\n|---|---|\n|https://orbit.test|${code}|\n|https://harbour.test|${other}|`,
    ],
    ['links of Slack', `<https://orbit.test/?a=1|${code}> <https://harbour.test|${other}>`],
    ['links of Markdown', `[a](https://orbit.test)${code}, [b](https://harbour.test),${other}`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([code, other]);
  });

  test('of keys of any form, too', () => {
    expect(codesIn(`site,license key\nhttps://orbit.test,${keyOfShop}`)).toEqual([keyOfShop]);
    expect(codesIn(`url|license_key\nhttps://orbit.test|${keyOfShop}`)).toEqual([keyOfShop]);
    expect(codesIn(`https://orbit.test/l/kit,${key},2026-11-20`, gumroad)).toEqual([key]);
  });

  test.each([
    `https://cdn.test/w_200,h_100/${code}`,
    `https://api.test/v1/jobs?ids=${other},${code}`,
    `https://api.test/v1/jobs?ids=1;2;${code}`,
  ])('but not at a comma of its own: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

describe('serial numbers of devices are none', () => {
  test.each([
    'Model Name: Notebook 14\n  Model Identifier: NB14,2\n  Serial Number (system): K7XQ2M9WPV',
    'Device Model:     Solid 500\nSerial Number:    S3Z9NB0K123456X',
    'Base Board Information\n\tManufacturer: Acme\n\tProduct Name: B1\n\tSerial Number: L1HF17S01ZX',
    'Notebook: Harbour 14\nSerial number: K7XQ2M9WPV',
    'Nom du modèle : Harbour 14\nNuméro de série (système) : K7XQ2M9WPV',
    '型号名称：Harbour 14\n序列号（系统）：K7XQ2M9WPV',
    '機種名: Harbour 14\nシリアル番号（システム）: K7XQ2M9WPV',
    'IMEI: 490154203237518, SN: K7XQ2M9WPV',
  ])('%j', (text) => {
    expect(codesIn(text)).toEqual([]);
    expect(codesIn(`${text}\n\nLicense key: SHP-44712-XQ`)).toEqual(['SHP-44712-XQ']);
  });

  test('one without a dash is none beside a code that is called one', () => {
    expect(codesIn('**Seriennummer:** K7XQ2M9WPV\n**Lizenzschlüssel:** SHP-44712-XQ')).toEqual([
      'SHP-44712-XQ',
    ]);
    expect(codesIn('Seriennummer: K7XQ2M9WPV')).toEqual(['K7XQ2M9WPV']);
  });

  test.each([
    'Код продукта\t00417-61000-00002-AA846',
    'Numero di serie:   00417-61000-00002-AAOEM',
  ])('nor is the id of a Windows: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });

  test('that of a product stays one', () => {
    expect(codesIn(`I have a ThinkPad. Serial number: NK4T-8R2B-WQ71-H6ZM`)).toEqual([
      'NK4T-8R2B-WQ71-H6ZM',
    ]);
    expect(codesIn('Product: Orbit\nSerial Number: SHP-44712-XQ')).toEqual(['SHP-44712-XQ']);
    expect(codesIn('Manufacturer: Harbour\nSerial Number: SHP-44712-XQ')).toEqual(['SHP-44712-XQ']);
  });
});

test.each([
  '<h1>License key</h1><p class="c-12345678">Where it is</p>',
  '<td>License key</td><td style="w-12345678px">',
  'License key <img src="c-12345678x">',
])('what sets how a page looks is no value of a label before it: %s', (text) => {
  expect(codesIn(text)).toEqual([]);
});

test.each([
  'License key: ****-5e8fa2c7160b',
  'License key: ••••-5e8fa2c7160b',
  'License key: …5e8fa2c7160b',
  'E_LICENSE_KEY_INVALID-4412',
  'License key: YOUR-KEY-HERE-2026',
  'License key for domain: shop-1124.com',
])(
  'the end of a masked key, a part of an identifier, a placeholder and a host are none: %s',
  (text) => {
    expect(codesIn(text)).toEqual([]);
  },
);

test.each([
  ['a run', `run ${code} failed: no license`],
  ['a parent', `span=${code} parent=${other}`],
  ['a recovery key', 'Disk recovery key: 7QKD-M2XH-P94T-ZC8R-41ZP'],
  ['a key of a network', 'Network security key: HARBOUR-4412-GUEST'],
])('the value of %s is none', (_name, text) => {
  expect(codesIn(text)).toEqual([]);
});

test('five groups of capitals without a digit are a key behind a word for keys alone', () => {
  expect(codesIn('{"licenseKey":{"id":4,"key":"GEQNC-WZZJD-VJIHG-GCMVD"}}')).toEqual([
    'GEQNC-WZZJD-VJIHG-GCMVD',
  ]);
  expect(codesIn('Key: CTRL-SHIFT-HOME')).toEqual([]);
});

test('each value of a link has a name of its own', () => {
  expect(codesIn(`codes[]=${code}&codes[]=${other}`)).toEqual([code, other]);
});

describe('what has an unknown name counts where nothing else does', () => {
  test.each([
    ['a field of JSON', `{"purchase_code":"${code}","workspace":"${other}"}`],
    ['an attribute', `<license key="${code}" seat="${other}" />`],
    ['a setting', `LICENSE_KEY=${code}\nVAULT=${other}`],
    ['a column', `Workspace;License key\n${other};${code}`],
    ['an order', `Order number: ${other}\nPurchase code: ${code}`],
    ['an order in Russian', `Номер заказа: ${other}\nКод покупки: ${code}`],
    ['an order in Korean', `주문 번호: ${other}\n구매 코드: ${code}`],
    ['an order in Polish', `Numer zamówienia: ${other}\nKod zakupu: ${code}`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([code]);
    expect(codesIn(text.replace(code, ''))).toEqual([other]);
  });

  test('but a message of a chat counts beside others', () => {
    const chat = [{ text: `my purchase code is ${code}` }, { text: other }];
    expect(codesIn(JSON.stringify(chat))).toEqual([code, other]);
  });

  test('and so do the codes of rows without headings', () => {
    const another = 'c5b0f2d1-7e64-4a98-b3c7-1d8e5f0a6b29';
    expect(codesIn(`${code}, ${other}\n${another}, ${code}`)).toEqual([code, other, another]);
  });

  test.each([
    ['names of customers in a column', `Ada Lind\t${code}\nBo Holm\t${other}`],
    [
      'two sentences with two spaces between them',
      `Purchase code: ${code}.  ${other} is the second`,
    ],
    ['a sentence in front of two spaces', `Purchase code: ${code}\nThe one for my store  ${other}`],
    ['a product with a capital', `Purchase code Harbour: ${code}\nOrbit: ${other}`],
    ['elements of HTML', `<p>Purchase code: ${code}</p><p><code>${other}</code></p>`],
    ['a list in a program', `"license_keys": ["${code}", "${other}"]`],
  ])('what is none of these keeps its code: %s', (_name, text) => {
    expect(codesIn(text)).toEqual([code, other]);
  });

  test('a code whose name calls it one stays one when another reading finds a column', () => {
    expect(
      codesIn(`<a>x\\b</a><SHOP_LICENSE_KEY>${code}</SHOP_LICENSE_KEY><cart>${other}</cart>`),
    ).toEqual([code]);
  });
});

test.each([
  `<label for="k">License key</label> <input id="k" type="text" value="SHP-44712-XQ" readonly>`,
  `<tr><th>Serial number</th><td><input value='SHP-44712-XQ' class="code"></td></tr>`,
  `<p>License key</p><input value=SHP-44712-XQ>`,
])('a field of a form stands behind its label: %s', (text) => {
  expect(codesIn(text)).toEqual(['SHP-44712-XQ']);
});

describe('messages of a chat', () => {
  test.each([
    '[04.11.26, 10:02:44] Ann: Seriennummer:\n[04.11.26, 10:02:51] Ann: NK4T-8R2B-WQ71-H6ZM',
    '04/11/26, 10:02 - Shop: your license key?\n04/11/26, 10:03 - Ann: NK4T-8R2B-WQ71-H6ZM',
    '[11/4 10:02 AM] Ann Bell\nmy serial number\n[11/4 10:03 AM] Ann Bell\nNK4T-8R2B-WQ71-H6ZM',
  ])('a key and its name stand in two of them: %j', (text) => {
    expect(codesIn(text)).toEqual(['NK4T-8R2B-WQ71-H6ZM']);
  });

  test('what the second one calls it decides', () => {
    const asked = '[04.11.26, 10:02:44] Shop: your license key?\n[04.11.26, 10:02:51] Ann:';
    expect(codesIn(`${asked} my order NK4T-8R2B-WQ71-H6ZM`)).toEqual([]);
  });

  test.each(['_', '__', '*_', '~', '~~'])('%s around a key emphasises it', (mark) => {
    const end = Array.from(mark).reverse().join('');
    expect(codesIn(`*License key:* ${mark}NK4T-8R2B-WQ71-H6ZM${end}`)).toEqual([
      'NK4T-8R2B-WQ71-H6ZM',
    ]);
  });
});

test('ids that every program knows are no codes', () => {
  for (const id of [
    '00000000-0000-0000-0000-000000000000',
    '0000180f-0000-1000-8000-00805f9b34fb',
    '00002A37-0000-1000-8000-00805F9B34FB',
  ])
    expect(codesIn(`It looks like ${id}, mine is ${code}`)).toEqual([code]);
});

test('an id beside a license is not asked about', () => {
  const token = `eyJsaWNlbnNlX2lkIjoiTC04OCIsInByb2R1Y3QiOiJvcmJpdCJ9.${'Bb1_-'.repeat(17)}Q`;
  const text = `<config><license>${token}</license><id>${code}</id></config>`;
  expect(classifyInput(text)).toEqual({ kind: 'license' });
});

test('words on one line are no list of codes', () => {
  expect(classifyInput('UA-4471882-1 G-QWERT12345 AW-77812345').kind).toBe('nothing');
  expect(classifyInput('LIC-4471882-1\r\nLIC-4471882-2')).toMatchObject({ kind: 'codes' });
});

test('codes in a numbered list are each found', () => {
  expect(codesIn('Serial numbers:\n1) SHP-44712-XQ\n2) SHP-90331-BD\n')).toEqual([
    'SHP-44712-XQ',
    'SHP-90331-BD',
  ]);
});

test.each([
  'License key: XXXX-XXXX-XXXX-7QWN',
  'License key: xxxxx-xxxxx-xxxxx-1',
  'Purchase code: 3d7c1f08-****-****-****-********160b',
])('what is masked or a placeholder is no code: %s', (text) => {
  expect(codesIn(text)).toEqual([]);
});

test('a checksum that a tag names is none for a connection whose codes look the same', () => {
  const sum = 'c1f09e7b3a5d48269b0ed4f7a2c6835e';
  expect(codesIn(`<status>Active</status>\n<md5hash>${sum}</md5hash>`, 'H'.repeat(32))).toEqual([]);
});

test.each([
  `license "c1f09e7b3a5d48269b0ed4f7a2c6835e" is invalid`,
  `array( 'license' => 'c1f09e7b3a5d48269b0ed4f7a2c6835e', 'checksum' => '0e95b1c7d2f3468aa1b2c3d4e5f60718' )`,
])('a bare key of a connection counts after its name: %s', (text) => {
  expect(codesIn(text, 'H'.repeat(32))).toEqual(['c1f09e7b3a5d48269b0ed4f7a2c6835e']);
});

test('a bare key in the link of a check is one for a connection whose codes are such', () => {
  const bare = 'c1f09e7b3a5d48269b0ed4f7a2c6835e';
  const link = `https://shop.test/?edd_action=check_license&license=${bare}&url=https://site.test`;
  expect(codesIn(link, 'H'.repeat(32))).toEqual([bare]);
  expect(codesIn(link.replace('&license', '&session'), 'H'.repeat(32))).toEqual([]);
});

describe('ids that no name in front of them gives away', () => {
  test.each([
    ['a resource of AWS', `arn:aws:kms:eu-west-1:111122223333:key/${code}`],
    ['a part of a mail', `<img src="cid:${code}"> <image001.png@${code}>`],
    ['a line between parts of a mail', `--${code}\r\nContent-Type: text/plain\r\n\r\n--${code}--`],
    ['a picture', `xmpMM:DocumentID="xmp.did:${code}"`],
    ['a line of cookies', `Cookie: theme=dark; visitor=${code}; _ga=GA1.2.1286553421.1690881154`],
    ['a key to an interface', `curl -H "Authorization: Bearer ${code}" https://api.shop.test`],
    ['a GUID as Windows writes it', `MsiExec.exe /X{${code.toUpperCase()}} /qn`],
    ['a crash report’s key', `CrashReporter Key:   ${code.toUpperCase()}`],
    ['a caption of a video', `WEBVTT\n\n${code}/12-0\n00:00:01.000 --> 00:00:04.000\nHello`],
    ['a key in a link', `https://api.shop.test/v1/me?apikey=${code}`],
    ['a card', `BEGIN:VCARD\r\nUID:${code}\r\nFN:Ada\r\nEND:VCARD`],
    ['an installer’s property', `Property(S): ProductCode = {${code.toUpperCase()}}`],
    ['an installer’s source', `<Product UpgradeCode="${code}" />`],
    ['a boot loader’s root', `search --no-floppy --set=root ${code}`],
    ['a boot loader’s search', `search --fs-uuid --hint-bios=hd0,gpt2 ${code}`],
    ['a row of PostgreSQL', `DETAIL:  Key (id)=(${code}) already exists.`],
    ['a disk', `/dev/disk/by-uuid/${code} /srv ext4`],
    ['a line of fstab', `UUID="${code}" / ext4 defaults 0 1`],
    ['a line of blkid', `/dev/sda1: UUID="${code}" UUID_SUB="${other}" TYPE="btrfs"`],
    ['a binary of a crash report', `0x102f1 - 0x102f2 orbit (3.1) <${code}> /Applications/Orbit`],
    ['a line of a log', `INFO [req=${code}] started trace=${other}`],
    ['a token’s claims', `{"oid":"${code}","tid":"${other}","sub":"${code}"}`],
    ['an instance of a key', `License key instance ID: ${code}`],
    ['a device in Spanish', `ID del equipo: ${code}`],
    ['a device in Russian', `Идентификатор устройства: ${code}`],
    ['a device in Polish', `Identyfikator urządzenia: ${code}`],
    ['an instance in a log', `ERROR check failed: instance=${code} status=expired`],
    ['a resource of an interface', `{"data":{"id":"${code}","type":"accounts"}}`],
    [
      'a resource whose type stands first',
      `{"product": {"data": {\n  "type": "products",\n  "id": "${code}"\n}}}`,
    ],
    [
      'a property list',
      `<key>LicenseOwner</key>\n\t<string>Ann</string>\n\t<key>DeviceIdentifier</key>\n\t<string>${code}</string>`,
    ],
    ['a shown array', `["session_id"]=>\n  string(36) "${code}"`],
    ['a list of terms', `<dl><dt>Transaction ID</dt><dd>${code}</dd></dl>`],
    ['the serial number of a volume', 'Volume Serial Number is 1A2B-3C4D'],
    ['a session that a log names', `IllegalStateException: no session ${code}`],
    ['a tenant that a log names', `validation failed for tenant ${code}`],
    ['a machine that a log names', `license check failed on machine ${code}`],
    ['a device that a log names', `Device ${code} is not registered`],
    ['a request that a log names', `request ${code} failed with 402`],
    ['a host in a switch', `/opt/harbour/check --node ${code}`],
    ['a value that a program shows', `Seat { machine_id: Some("${code}"), open: true }`],
    ['a value with its type', `{"fields":{"deviceId":{"stringValue":"${code}"}}}`],
    ['a resource in the path of an interface', `"/v1/accounts/${other}/licenses/${code}"`],
    ['an id beside a type', `{"type":"orders","total":12,"currency":"EUR","id":"${code}"}`],
    ['an activation of a key', `{"activation":{"id":"${code}","label":"desk"}}`],
    ['an array that PHP prints', `Array\n(\n    [instance] => ${code}\n)`],
    ['an id that a tag names', `<Data Name="ActivityID">{${code}}</Data>`],
    ['an id in pointed brackets', `Content-ID: <${code}>`],
    ['a boundary of Apple Mail', `boundary="Apple-Mail=_${code.toUpperCase()}"`],
    ['an entry of a feed', `<guid isPermaLink="false">${code}</guid>`],
    ['a list of devices', `{"devices":{"edges":[{"node":{"id":"${code}"}}]}}`],
    ['a list of machines', `{"machines":{"nodes":[{"id":"${code}"},{"id":"${other}"}]}}`],
    ['a type in front of a value', `{"deviceId":{"type":"text","value":"${code}"}}`],
    ['a value in front of its name', `[{"value":"${code}","name":"session_id"}]`],
    ['a section of YAML', `device:\n  name: desk\n  id: ${code}\n`],
    ['a section of a settings file', `[Installation]\nmode = 1\nid = ${code}\n`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([]);
  });

  test('an id beside a key is that of the key', () => {
    expect(codesIn(`{"id":"${code}","key":"${other}","status":"granted"}`)).toEqual([other]);
  });

  test('a customer’s number is no code beside one, and a customer may have one', () => {
    expect(codesIn(`Purchase code: ${code}\nCustomer number: ${other}`)).toEqual([code]);
    expect(codesIn(`${code} works. My customer has ${other}, which does not.`)).toEqual([
      code,
      other,
    ]);
  });

  test('program code in Textile is no address', () => {
    expect(codesIn(`my code is @${code}@`)).toEqual([code]);
  });

  test('a code beside them is found', () => {
    expect(codesIn(`Purchase code: {${code}}`)).toEqual([code]);
    expect(codesIn(`[license]\nid = ${code}\n[device]\nid = ${other}`)).toEqual([code]);
    expect(codesIn(`Cookie: a=${other}\nPurchase code: ${code}`)).toEqual([code]);
  });
});

describe('a name stands in front of its value', () => {
  test.each([
    ['in bold letters of Markdown', '**License key:** SHP-44712-XQ'],
    ['in a paragraph that HTML breaks inside of it', '<p>Mon code<br>\nd’achat : SHP-44712-XQ</p>'],
    ['in bold letters of a chat, a line above', '*License key:*\nSHP-44712-XQ'],
    ['in a pair of JSON', '{\n  "key": "_license_key",\n  "value": "SHP-44712-XQ"\n}'],
    ['in a settings value of Windows', '    LicenseKey    REG_SZ    SHP-44712-XQ'],
    [
      'in an array that PHP shows',
      'array(1) {\n  ["license_key"]=>\n  string(12) "SHP-44712-XQ"\n}',
    ],
    ['in a folded value of YAML', 'license_key: >-\n  SHP-44712-XQ\n'],
    ['in a spoiler of a chat', 'Your license key is: ||SHP-44712-XQ||. Enjoy!'],
    ['in a paragraph of its own', '<p>License key</p>\n\n<p>SHP-44712-XQ</p>'],
    ['in a sentence of German', 'Der Freischaltcode, den ich habe, lautet SHP-44712-XQ.'],
    ['in a property list', '<key>LicenseKey</key>\n\t<string>SHP-44712-XQ</string>'],
    ['in a list of a shop', '<dt>License key:</dt>\n<dd class="x"><p>SHP-44712-XQ</p>\n</dd>'],
    ['in an object that Swift shows', 'licenseKey: Optional("SHP-44712-XQ")'],
    ['in a database that names types', '{"license_key":{"S":"SHP-44712-XQ"}}'],
    ['with a type', '{"licenseKey":{"type":"string","value":"SHP-44712-XQ"}}'],
    ['behind it', '{"value":"SHP-44712-XQ","name":"license_key"}'],
    ['behind it in SQL', "SET option_value='SHP-44712-XQ' WHERE option_name='orbit_license_key'"],
    ['in front of a string of C#', 'licenseKey = @"SHP-44712-XQ"'],
    ['in front of a string of Objective-C', '[Orbit setLicenseKey:@"SHP-44712-XQ"];'],
    ['behind it in a form', '<input value="SHP-44712-XQ" name="license_key" type="text">'],
    ['in bold letters of a forum', '[b]Serial number[/b]: [i]SHP-44712-XQ[/i]'],
    ['in front of a block of a forum', 'License key:\n[code]SHP-44712-XQ[/code]'],
    ['in coloured letters of a forum', '[color=#F00]Serial:[/color] [size=150]SHP-44712-XQ[/size]'],
    ['in a tag of its own', '<string name="license_key">SHP-44712-XQ</string>'],
    ['in CDATA', '<licenseKey><![CDATA[SHP-44712-XQ]]></licenseKey>'],
    ['in a variable’s default', 'variable "license_key" {\n  default = "SHP-44712-XQ"\n}'],
    ['in LaTeX', String.raw`License key: \texttt{SHP-44712-XQ}`],
    ['in an option of WordPress', 'a:1:{s:11:"license_key";s:12:"SHP-44712-XQ";}'],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual(['SHP-44712-XQ']);
  });
});

describe('rows of hexadecimal words are no codes', () => {
  test.each([
    [
      'a dump of a stack',
      '0x0041f2c0:  000a7000 00000000 0041f324 10066e42\n0x0041f2d0:  00640000 7c711000 000a7000 00640000',
    ],
    ['xxd', '00000000: 7f454c46 02010100 00000000 00000000  .ELF'],
    ['od', '0000000 464c457f 00010102 00000000 00000000'],
    ['a hash', 'sha256: 7c19e0b4 d2a8356f 01f4bb7e 96d3c508 0a1b2c3d 4e5f6071 8293a4b5 c6d7e8f9'],
    ['a fingerprint', 'Fingerprint: 7C19E0B4 D2A8356F 01F4BB7E 96D3C508 11AA22BB'],
    [
      'rows below each other',
      '7C19E0B4 D2A8356F 01F4BB7E 96D3C508\nAA19E0B4 D2A8356F 01F4BB7E 96D3C509',
    ],
    [
      'rows that are set in',
      '        7C19E0B4 D2A8356F 01F4BB7E 96D3C508  \n        AA19E0B4 D2A8356F 01F4BB7E 96D3C509',
    ],
    [
      'rows behind the times of a log',
      '[  104.218861]  7c19e0b4 d2a8356f 01f4bb7e 96d3c508\n[  104.218862]  aa19e0b4 d2a8356f 01f4bb7e 96d3c509',
    ],
    [
      'a list of rates',
      'rates:   - B1000000   - B1152000   - B1500000   -\n  B2000000   - B2500000',
    ],
  ])('%s', (_name, text) => {
    expect(codesIn(text, gumroad)).toEqual([]);
    expect(codesIn(JSON.stringify({ body: text }), gumroad)).toEqual([]);
    expect(codesIn(`<pre>${text.replaceAll('\n', '<br>\n')}</pre>`, gumroad)).toEqual([]);
  });

  test.each([
    ['alone', key.replaceAll('-', ' ')],
    ['after its name', `License: ${key.replaceAll('-', ' ')}`],
    ['in a sentence', `my key is ${key.replaceAll('-', ' ')}, thanks`],
  ])('a key that was written with spaces stays one: %s', (_name, text) => {
    expect(codesIn(text, gumroad)).toEqual([key]);
  });
});

describe('what is JSON is read as JSON', () => {
  test('a pasted reply of a shop holds its code, whatever its license is called', () => {
    for (const text of [
      `{"license":"Regular License","code":"${code}"}`,
      `[{"license":"Extended License","code":"${code}"}]`,
      `{"license":{"type":"Regular License","purchase_code":"${code}"}}`,
      `{"purchase_code":"${code}","signature":"Best regards"}`,
      `{"license":"${code}"}`,
    ])
      expect(classifyInput(text)).toMatchObject({ kind: 'codes', codes: [{ code }] });
  });

  test.each([
    '{"error":"Invalid Serial Key","message":"No serial key exists","timestamp":1764512117}',
    '{"message":"No such purchase code","build":"20260301-4471"}',
    "{'detail': 'license key already used', 'retry_after': 86400000}",
    '{"errors":{"license_key":["The license key has been taken."]},"at":1764512117}',
    '{"error":{"message":"The license_key is invalid","ref":"A1B2C3D4-E5F6"}}',
    'level=error msg="license key invalid" ts=1764512117 req=AB12-CD34-EF56',
  ])('what stands beside a message about keys is none: %s', (text) => {
    expect(classifyInput(text).kind).toBe('nothing');
  });

  test.each([
    '{"name":"License key for Orbit","value":"SHP-44712-XQ"}',
    '{"key":"purchase_code","id":48211377,"value":"SHP-44712-XQ"}',
    '{"question":"License key","answer":"SHP-44712-XQ"}',
    '{"id":48211377,"field":"License key","content":"SHP-44712-XQ"}',
    '{"value":"SHP-44712-XQ","label":"Purchase code"}',
  ])('a value is named by a member beside it: %s', (text) => {
    expect(codesIn(text)).toEqual(['SHP-44712-XQ']);
  });

  test('a manifest of a package is neither a code nor a license', () => {
    expect(classifyInput('{"name":"orbit","version":"1.2.3","license":"MIT"}').kind).toBe(
      'nothing',
    );
  });
});

describe('what is nearly a code', () => {
  test.each([
    ['a letter for a digit', code.replace('0b', 'Ob'), 'letters-beyond-f'],
    ['an l for a 1', code.replace('3d7c1f08', '3d7clf08'), 'letters-beyond-f'],
    ['29 of 32 digits', code.slice(0, -3), 'wrong-length'],
    ['20 of 32 digits', code.slice(0, 23), 'wrong-length'],
    ['a code that a chat cut', code.slice(0, 27), 'wrong-length'],
    ['a digit too many', code.replace('-4a25-', '-4a251-'), 'wrong-length'],
  ])('is named in a ticket, and never sent unasked: %s', (_name, near, hint) => {
    expect(classifyInput(`Hello,\nPurchase code: ${near}\nThanks`)).toEqual({
      kind: 'odd',
      code: near,
      hint,
      isInText: true,
    });
    expect(classifyInput(`“${near}”`)).toEqual({ kind: 'odd', code: near, hint });
    expect(codesIn(`Purchase code: ${near}`)).toEqual([]);
  });

  test.each(['/', ':', '·', ' dash ', '{-}'])('%j for all of its dashes is a code', (dash) => {
    expect(codesIn(`Purchase code: ${code.replaceAll('-', dash)}`)).toEqual([code]);
  });

  test.each(['/', ':', '·'])('%s for one of its dashes is the whole code', (dash) => {
    expect(codesIn(`Purchase code: ${code.replace('-', dash)}`)).toEqual([code]);
  });

  test('digit by digit, as in dictation, it is a code', () => {
    const digits = code.replaceAll(/[^-](?!-|$)/g, '$& ');
    expect(codesIn(`the code is ${digits.replaceAll('-', ' dash ')} thanks`)).toEqual([code]);
    expect(codesIn(`Kaufcode ${digits.replaceAll('-', ' minus ')}`)).toEqual([code]);
    expect(codesIn(`code ${digits.replaceAll('-', ' - ')}`)).toEqual([code]);
    expect(codesIn('my code is 3 d 7 c 1 f 0 8 dash 9 6 b e dash and the rest is cut')).toEqual([]);
  });

  test.each([
    ['…', '3d7c1f08'],
    ['-96be', '3d7c1f08-96be'],
    ['-96be and the screenshot ends', '3d7c1f08-96be'],
    ['-96be-4a', '3d7c1f08-96be-4a'],
    ['-96', '3d7c1f08-96'],
    ['-', '3d7c1f08'],
    [' 96be 4a and the rest is cut', '3d7c1f08'],
    ['\n96be', '3d7c1f08'],
    [' dash', '3d7c1f08'],
    [' dash 96be dash', '3d7c1f08'],
    [' tiret 96be', '3d7c1f08'],
  ])('a beginning of it is offered and never sent: %j', (rest, odd) => {
    const text = `Purchase code: 3d7c1f08${rest}`;
    expect(classifyInput(`${text} `)).toMatchObject({ kind: 'odd', code: odd });
    expect(codesIn(text)).toEqual([]);
    // Nor is it sent beside a whole one.
    expect(classifyInput(`${text}\nor ${other}`)).toMatchObject({ codes: [{ code: other }] });
  });

  test('a beginning of a connection’s form is offered and never sent', () => {
    for (const part of [key.slice(0, 17), key.slice(0, 26), key.slice(0, 30)])
      expect(classifyInput(`License key: ${part}`, { patterns: [gumroad] })).toMatchObject({
        kind: 'odd',
        code: part,
      });
  });

  test.each(['3D7C1F08', '3d7c1f08, from 2024', '3d7c1f08 from 2024', '3d7c1f08 is mine'])(
    'eight digits that nothing follows may be a code of a seller’s own: %s',
    (text) => {
      expect(codesIn(`Purchase code: ${text}`)).toEqual([text.slice(0, 8)]);
    },
  );

  test('is named behind a word for keys alone', () => {
    const near = code.slice(0, -1);
    expect(classifyInput(`Hi,\nLicense: ${near}`)).toMatchObject({ kind: 'odd', code: near });
  });

  test('gives way to a code beside it', () => {
    expect(classifyInput(`${code.slice(0, -3)} or ${other}`)).toMatchObject({
      kind: 'codes',
      codes: [{ code: other }],
    });
  });
});

describe('transports upon transports', () => {
  test('a code in which a soft line break parts a reference is not cut there', () => {
    expect(codesIn('Code d&#8217;achat : LIC-1000&#4=\r\n8;&#45;AAAA')).toEqual(['LIC-10000-AAAA']);
  });

  test.each([
    [
      'a soft line end under marks of a reply',
      `> Code: ${code.slice(0, 20)}=\n> ${code.slice(20)}`,
    ],
    ['an escape that a soft line end cuts', `code%3A%2=\r\n0${code}%0A`],
    ['a text of Japanese in a query', `https://x.test/?q=%E3%81%82%E3%80%82${code}%20%E3%81%82`],
    [
      'a defended link in a defended mail',
      `https://urldefense.proofpoint.com/v2/url?u=https-3A__x.test_-3Fq-3Dcode-253A-2B${code.replaceAll('-', '-2D')}&d=x`,
    ],
    ['a name that a line end parts', `Código de \ncompra: ${code}`],
    [
      'an escaped mark of direction that a soft line end cuts',
      `{"body":"Code: \\u2066${code}\\=\nu2069\\nThanks"}`,
    ],
    [
      'HTML that is written in HTML',
      `<p>Code: ${code.slice(0, 20)}&lt;br&gt;<br>\n&lt;wbr&gt;${code.slice(20)}</p>`,
    ],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([code]);
  });

  test('full width in a line that was broken before HTML broke it', () => {
    const octets = Buffer.from('ＳＨＰ－４４７１２－ＸＱ').toString('hex').toUpperCase();
    const mail = `<div>Mã mua hàng: =<br>\n${octets.replaceAll(/../g, '=$&').replace(/.{72}/, '$&=<br>\n')}<br>\nxong</div>`;
    expect(codesIn(mail)).toEqual(['SHP-44712-XQ']);
  });

  test('a soft line end is no character between a name and its value', () => {
    expect(codesIn('der Kaufcode fehlt in der Rechnung =\r\nRE-2026-11-0042')).toEqual([]);
  });

  test('a soft line end that got spaces behind it is none either', () => {
    expect(codesIn('Kode pembelian: =  \nSHP-44712-XQ')).toEqual(['SHP-44712-XQ']);
    expect(codesIn('Kode=A0pembelian:=A0=3D=A0=A0\nSHP-44712-XQ=A0=A0\nBudi')).toEqual([
      'SHP-44712-XQ',
    ]);
  });

  test('the rest of an escape is no code', () => {
    expect(codesIn('Purchase code\\u0026colon; none')).toEqual([]);
    expect(codesIn('My =3D "Kaufcode=A0lautet:=A0SHP-44712-XQ"')).toEqual(['SHP-44712-XQ']);
    expect(codesIn('Kaufcode=3DA0lautet:=3DA0SHP-44712-XQ')).toEqual(['SHP-44712-XQ']);
    expect(codesIn('Our purchase code=A0received yesterday=A0is gone')).toEqual([]);
  });
});

describe('a key may stand at some distance from its name', () => {
  const [first, second] = ['NK4T-8R2B-WQ71-H6ZM', 'B7QX-2LM9-TT40-WD3E'];

  test.each([
    ['a product between them', `Votre clé de licence — Harbour\n\n${first}\n\nConservez-la.`],
    ['the words of a subject', `Your license key for Harbour Pro\n\n${first}`],
    ['a line of a customer', `Hello,\nmy key does not work at all\n\n${first}\n\nBest, Ada`],
    [
      'another message of a chat',
      `[28.11.26, 09:03:11] Ada: hi, my key does not work\n[28.11.26, 09:03:20] Ada: ${first}`,
    ],
    [
      'the question of a chat and a name',
      `Support • 2m ago\nPlease share your license key.\n\nAda • 1m ago\n${first}`,
    ],
    ['English words', `Here is the key for Harbour:\n${first}`],
    ['English words behind which it stands', `The key I got is ${first}`],
    ['German words', `Der Schlüssel für Harbour: ${first}`],
    ['Spanish words', `La clave de Harbour es: ${first}`],
    ['Portuguese words', `Segue a chave do Harbour:\n${first}\nObrigado`],
    ['a product below a heading', `Keys\nHarbour = ${first}`],
    ['its name, which stands behind it', `${first} is the serial number from your mail`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([first]);
  });

  test.each([
    ['the seats of another one', `Keys:\n${first} - 1 seat\n${second} - 5 seats`],
    ['the days of others', `License keys\n${first}  2026-01-31\n${second}  2026-02-28`],
    ['tabs', `License keys\n${first}\tuntil March 1, 2027\n${second}\tuntil March 1, 2027`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([first, second]);
  });

  test.each([
    `Your license key will follow.\nOrder\n${first}`,
    `Der Lizenzschlüssel fehlt.\nBestellnummer\n${first}`,
    `License keys are sent by mail.\nTracking: ${first}`,
    `API key for Harbour: ${first}`,
    `Dear Ada,\nyour parcel is on its way.\n${first}`,
  ])('but it answers no line in: %j', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test('the id of a request in front of what a log says is no code', () => {
  expect(codesIn(`[${other}] Started POST "/licenses"\n[${other}] Completed 404`)).toEqual([]);
  expect(codesIn(`INFO -- : [${other}] Parameters: {"purchase_code"=>"${code}"}`)).toEqual([code]);
  expect(codesIn(`Purchase code: [${code}] please`)).toEqual([code]);
  expect(codesIn(`[${code}]`)).toEqual([code]);
});

describe('words of programs and of their documents are no codes', () => {
  test.each([
    ['a vulnerability', 'Fix a race in port unregistration (CVE-2031-44718)'],
    ['a vulnerability beside a field', 'lamp: fix a leak of link->serial (CVE-2031-44718)'],
    ['a short word within another', 'Fix the sockopt (QXN-2022-1434)\nmarketkey: QXN-2022-1434'],
    ['a commit behind “code”', 'Fix a leak in the ECDH code. [18a54354fe]'],
    ['a commit to which code is related', `(code is related to ${'6d5f99c7'.repeat(5)} changes)`],
    [
      'a file that code moved to',
      'Deleted file, code moved to:\n\t* lantern256-crypt.c: New file.',
    ],
    ['a key of a keyboard', 'Maps keycode KEY_LANTERN to XF86Lantern'],
    ['a class beside a registry key', 'Win32RegistryKey / LWin32AppInfo: watch both'],
    ['an issue below a registry key', 'Reads the correct registry key.\n\n- issue-38355: Fixes it'],
    ['a cipher for keys', 'Exports with PKCS12-4RC4-SHA1 for encrypting keys in files'],
    ['a file of terms with a version', 'The terms of either license:\n\n\tNOTICE-ORBIT-2.1'],
    [
      'a constant below “code”',
      'Now like the\ncode of others.\n* b64.h (LANTN4_SOURCE_LENGTH): New.',
    ],
    [
      'rows of points',
      '00023 0FE0F 020E3\nKEYCAP NUMBER SIGN\n\n0002A 0FE0F 020E3\nKEYCAP ASTERISK',
    ],
    ['options of a command', '--delete-labels=key3,key4 --organization=1234567890'],
    [
      'a proof of OAuth',
      'code_challenge=kjbSB523KdkAILE2k78NdcJSk2k3&code_verifier=KB46DCLJ873NCGXK5',
    ],
    ['a tag', `arch-tag: ${code}`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

describe('a key stands behind fewer words than a label has', () => {
  const [first, second] = ['NK4T-8R2B-WQ71-H6ZM', 'B7QX-2LM9-TT40-WD3E'];

  test.each([
    ['a command of WordPress', `wp harbour-plugin activate ${first}`],
    ['a command of Laravel', `php artisan license:activate ${first} --force`],
    ['a product behind the heading of its line', `License Keys: Orbit: ${first}`],
    ['the word alone', `My code ${first} does not work`],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([first]);
  });

  test('and so do the values of a list in SQL', () => {
    expect(codesIn(`SELECT * FROM keys WHERE license_key IN ('${first}', '${second}');`)).toEqual([
      first,
      second,
    ]);
    expect(codesIn("UPDATE s SET used = 1 WHERE purchase_code in ('SHP-44712-XQ')")).toEqual([
      'SHP-44712-XQ',
    ]);
  });

  test('a key in hexadecimal digits is one for a connection whose keys are such', () => {
    const bare = 'c1f09e7b3a5d48269b0ed4f7a2c6835e';
    expect(codesIn(`License Keys: Orbit: ${bare}`, 'H'.repeat(32))).toEqual([bare]);
  });

  test.each(['AppSumo code: q7xw3m4n-8kd2vz91', 'My AppSumo codes:\nq7xw3m4n-8kd2vz91'])(
    'a code of AppSumo has one dash: %j',
    (text) => {
      expect(codesIn(text)).toEqual(['q7xw3m4n-8kd2vz91']);
    },
  );

  test.each([
    `Error code ${first}`,
    `<code>${first}</code>`,
    `Enter the license key in Harbour2026 again`,
    `Get 20% off with the code ${first}`,
    `Verification code: ${first}`,
    `Code promo : ${first}`,
    `Code d’erreur : ${first}`,
    `Código de error: ${first}`,
    `Código de descuento: ${first}`,
    `License keys: see below. Model: ${first}`,
    `License: MIT Model: ${first}`,
    `Codice consumo: q7xw3m4n-8kd2vz91`,
  ])('but not in: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });
});

test.each([
  'Lizenzschl?ssel',
  'Ihr Lizenzschl\uFFFDssel',
  'Lizenzschlssel',
  'Cl\uFFFD de licence',
  'C?digo de compra',
  'C\uFFFDdigo de activaci\uFFFDn',
])('a name that lost a letter stays one: %s', (name) => {
  expect(codesIn(`${name}: SHP-44712-XQ`)).toEqual(['SHP-44712-XQ']);
});

describe('a key that something was joined to, or taken from', () => {
  const shop = 'NK4T-8R2B-WQ71-H6ZM';
  const mixed = 'ORBIT-9C3J7Drtk5Wm';
  const hex = 'b52c9e06a17df38471c0e4d9f8a6b253';

  test.each([
    ['capitals, then letters of both cases', `License key: ${mixed}`, mixed],
    ['a prefix of capitals', '[license_key] => PK-WqzNVYhdRJXnbT48gGsF', 'PK-WqzNVYhdRJXnbT48gGsF'],
    ['the name of a button', `License key: ${shop}copy`, shop],
    ['the name of an icon', `License key: ${shop}content_copy`, shop],
    ['a word with a capital', `License key: ${shop}Active`, shop],
    ['a word behind hexadecimal digits', `License key: ${hex}Active`, hex],
    ['its label', `License Key${shop}`, shop],
    ['its label and a word', `License Key${shop}Expires`, shop],
    ['a line break in a group', `License key: NK4T-8R2B-WQ\n71-H6ZM`, shop],
    ['a line break before a dash', `License key: NK4T-8R2B-WQ71\n-H6ZM`, shop],
    ['three dots of a sentence', `my license key is ${shop}... help`, shop],
    ['a setting on the next line', 'LICENSE_KEY=A1B2C3-D4E5F6-77\nPORT=8080', 'A1B2C3-D4E5F6-77'],
  ])('%s', (_name, text, found) => {
    expect(codesIn(text)).toEqual([found]);
  });

  test.each([
    'License: NK4T-8R2B-WQ...',
    'License key NK4T-8R2B-WQ71-H... [show]',
    'License key: NK4T-8R2B-WQ71-',
    'License key: NK4T-8R2B-[redacted]',
    'License key: NK4T-8R2B-<hidden>',
    'License key: NK4T-8R2B####',
    'License key: NK4T8R2B******',
    'License key: 7C19E0B4-D2A8356F-01...',
    'License key: b52c9e06a17df384...',
  ])('the stump of a key is not sent: %s', (text) => {
    expect(['odd', 'nothing']).toContain(classifyInput(text).kind);
  });

  test('O for 0 in a key of four times eight digits is offered, not sent', () => {
    const misread = key.replaceAll('0', 'O');
    expect(classifyInput(`License key: ${misread}`)).toMatchObject({ kind: 'odd', code: misread });
  });

  test('of any visible characters ends at the quotation mark that opened it', () => {
    const pattern = `sk_${'\uE000'.repeat(29)}`;
    const whole = 'sk_7Kq}r4YTe%2ab=0u1LQa8xW{p#3mX';
    const reply = `{"license_key":"${whole}","install_id":"4417"}`;
    expect(codesIn(reply, pattern)).toEqual([whole]);
    expect(codesIn('{"sk":"sk_test_417","url":"https://shop.test/a"}', pattern)).toEqual([]);
  });
});

describe('a key that is asked for and then given', () => {
  const given = 'KWTRL-ZUPAK-JWNYD-RBDUX';

  test.each([
    `Agent: Could you please share your license key with me?\nCustomer: Sure\nCustomer: ${given}`,
    `A: what is your licence key?\nB: ${given}`,
    `Can you send my license key?\n\nSure, here you go: ${given}`,
    `Product\nLicense Key\nExpires\nOrbit Pro\n${given}\n2027-01-12`,
  ])('%j', (text) => {
    expect(codesIn(text)).toEqual([given]);
  });

  test.each([
    `Activation failed for ${given}: limit reached`,
    `It says invalid: ${given}`,
    `Orbit Pro ${given}`,
  ])('in words that do not name it, it is offered: %s', (text) => {
    expect(classifyInput(text)).toMatchObject({ kind: 'odd', code: given, isInText: true });
  });

  test.each([
    'Gift card ABCD-2K3M-X9QP-77TL was used',
    'Gutschein ABCD-2K3M-X9QP-77TL',
    'Your booking HMX4-92KQ-7TPL-2M3N',
    'Tracking TRK7-Q9XT-44PL-99AB',
  ])('what has the same groups and another name is none: %s', (line) => {
    expect(codesIn(`License key: NK4T-8R2B-WQ71-H6ZM\n${line}`)).toEqual(['NK4T-8R2B-WQ71-H6ZM']);
  });
});

describe('ids of other things', () => {
  test.each([
    `Eszközazonosító\t${other}`,
    `Ідентифікатор пристрою\t${other}`,
    `Laitetunnus\t${other}`,
    `Αναγνωριστικό συσκευής\t${other}`,
    `Bezeichner:\n\n${other}`,
    `idfa=${other}&gps_adid=${other}`,
    `Duplicate entry '${other}' for key 'PRIMARY'`,
    `Could not find a registered machine named '${other}'`,
    `The ciphertext refers to a customer master key ${other} that does not exist`,
  ])('are none: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });

  test.each([
    'Číslo objednávky',
    'Rendelésszám',
    'Номер замовлення',
    'Tilausnumero',
    'Ordrenummer',
    'מספר הזמנה',
    'شماره سفارش',
    'Număr comandă',
    'Broj narudžbe',
  ])('of an order are none beside a code: %s', (name) => {
    expect(codesIn(`${name}: ${other}\nPurchase code: ${code}`)).toEqual([code]);
  });
});
