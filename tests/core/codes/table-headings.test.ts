import { describe, expect, test } from 'vitest';

import { findCodes } from '#tests/core/codes/found-codes';

const code = '6b1e9d04-27fa-4c83-95d0-e8a3b7216fc5';
const other = 'c04d7f19-83e6-4ab2-8f51-39d60e7bc2a4';
const guid = '18f2a6c3-d95b-4e70-b3a8-4c7e10f96d52';
const another = 'a9370ed5-6c1b-4f28-91e4-f05d8b2c73e6';

const codesIn = (text: string): string[] => findCodes(text).map((found) => found.code);

describe('the heading of a column names the values below it', () => {
  test.each([
    [
      'cells copied from a spreadsheet',
      `Order GUID\tPurchase code\n${guid}\t${code}\n${another}\t${other}`,
    ],
    [
      'the first column',
      `Purchase code\tBuyer\tMachine ID\n${code}\tann\t${guid}\n${other}\tbob\t${another}`,
    ],
    [
      'CSV in a mail',
      `Hello, this is my list:\n\nid,Purchase Code,city\n${guid},${code},Bonn\n${another},${other},Trier\n\nBye`,
    ],
    [
      'CSV with quoted cells',
      `"Title","User ID","Purchase code"\n"Orbit, the theme","${guid}","${code}"\n"Orbit","${another}","${other}"`,
    ],
    ['semicolons', `Gerätekennung;Kaufcode\r\n${guid};${code}\r\n${another};${other}\r\n`],
    [
      'Markdown',
      `| Device ID | Purchase code |\n| --- | :---: |\n| ${guid} | ${code} |\n| ${another} | ${other} |`,
    ],
    ['Jira', `||Machine ID||Purchase code||\n|${guid}|${code}|\n|${another}|${other}|`],
    [
      'rows of Jira that begin with a heading',
      `||Purchase code|${code}|\n||Device ID|${guid}|\n||Purchase code|${other}|`,
    ],
    [
      'SQL',
      `INSERT INTO \`keys\` (\`id\`, \`session_id\`, \`purchase_code\`) VALUES\n(1, '${guid}', '${code}'),\n(2, '${another}', '${other}');`,
    ],
    [
      'SQL with a line for each row',
      `INSERT INTO shop.keys (purchase_code, install_id) VALUES ('${code}', '${guid}');\nINSERT INTO shop.keys (purchase_code, install_id) VALUES ('${other}', '${another}');`,
    ],
    [
      'a dump of PostgreSQL',
      `COPY public.keys (id, purchase_code, machine_id) FROM stdin;\n1\t${code}\t${guid}\n2\t${other}\t${another}\n\\.`,
    ],
    [
      'psql',
      `     purchase_code     |     order_guid\n-------------+------------\n ${code} | ${guid}\n ${other} | ${another}\n(2 rows)`,
    ],
    [
      'mysql',
      `+----+------+\n| user_id | code |\n+----+------+\n| ${guid} | ${code} |\n| ${another} | ${other} |\n+----+------+`,
    ],
    [
      'lines drawn around cells',
      `┌────┬────┐\n│ user_id │ purchase_code │\n├────┼────┤\n│ ${guid} │ ${code} │\n│ ${another} │ ${other} │\n└────┴────┘`,
    ],
    [
      'Spanish',
      `| ID del cliente | Código de compra |\n| --- | --- |\n| ${guid} | ${code} |\n| ${another} | ${other} |`,
    ],
    [
      'a table of HTML',
      `<table><tr><th>Machine ID</th><th>Purchase code</th></tr><tr><td>${guid}</td><td>${code}</td></tr><tr><td>${another}</td><td>${other}</td></tr></table>`,
    ],
    [
      'a table of HTML with a line for each cell',
      `<table>\n <tr>\n  <th>Purchase code</th>\n  <th>Machine ID</th>\n </tr>\n <tr>\n  <td>\n   ${code}\n  </td>\n  <td>${guid}</td>\n </tr>\n <tr>\n  <td>${other}</td>\n  <td>${another}</td>\n </tr>\n</table>`,
    ],
    [
      'a table that Outlook wrote',
      [
        ['Machine ID', 'Purchase code'],
        [guid, code],
        [another, other],
      ]
        .map(
          (row) =>
            `<tr style='height:1cm'>${row.map((cell) => `<td width=200><p class=MsoNormal>${cell}<o:p></o:p></p></td>`).join('\r\n  ')}</tr>`,
        )
        .join('\r\n'),
    ],
    [
      'columns that spaces align',
      `NAME    UUID                                  PURCHASE CODE\nhome    ${guid}  ${code}\nhouse   ${another}  ${other}`,
    ],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([code, other]);
  });

  describe('in a mail whose lines are blocks', () => {
    const lines = `| Device ID | Purchase code |\n| --- | :---: |\n| ${guid} | ${code} |\n| ${another} | ${other} |`;

    test.each([
      ['of Gmail', lines.replaceAll(/.+/g, '<div>$&</div>')],
      ['of Outlook', lines.replaceAll(/.+/g, '<p class=MsoNormal>$&<o:p></o:p></p>\r\n\r')],
    ])('%s', (_name, text) => {
      expect(codesIn(text)).toEqual([code, other]);
    });
  });

  test('what stands in front of a table in JSON and behind it is no cell', () => {
    const rows = `| Purchase code | Device ID |\n|---|---|\n| ${code} | ${guid} |`;
    expect(codesIn(JSON.stringify({ id: 8812, body: rows, by: 'Ada' }))).toEqual([code]);
  });

  test('SQL may be set in', () => {
    const sql = `INSERT INTO keys (id, purchase_code, install_id) VALUES (1, '${code}', '${guid}');`;
    expect(codesIn(`  ${sql}`)).toEqual([code]);
  });

  test('codes of any form stand in a column of codes, and in no other one', () => {
    const table =
      'Date,License key,Order\n2026-01-02,SHOP-4471-XQ,ORD-77812-A\n2026-01-03,SHOP-5582-ZW,ORD-77813-B';
    expect(codesIn(table)).toEqual(['SHOP-4471-XQ', 'SHOP-5582-ZW']);
    expect(codesIn('Order\tPurchase code\nORD-77812-A\tSHOP-4471-XQ')).toEqual(['SHOP-4471-XQ']);
  });

  test('the end of a row and the beginning of the next one are no string that goes on', () => {
    const table = `"Date","Purchase Code","Price"\n"2026-01-02","${code}","59"\n"2026-01-03","${other}","39"`;
    expect(codesIn(table)).toEqual([code, other]);
  });

  test('a note that tells Excel its separator is no row of headings', () => {
    for (const note of ['sep=;', '"sep=;"'])
      expect(codesIn(`${note}\r\nKunde;Lizenzschlüssel\r\nAnn;SHOP-4471-XQ`)).toEqual([
        'SHOP-4471-XQ',
      ]);
  });

  test('where a line rules the columns, a value may fill its own', () => {
    const table = `LicenseKey                           MachineId                            Valid
----------                           ---------                            -----
${code} ${guid} True
${other} ${another} True`;
    expect(codesIn(table)).toEqual([code, other]);
    expect(codesIn(table.replaceAll(/-(?=[- \n])/g, '='))).toEqual([code, other]);
    expect(codesIn(`Thanks, ${code} ${guid}`)).toEqual([code, guid]);
  });

  test('a column called id holds none', () => {
    expect(codesIn(`id\tname\n${guid}\tOrbit`)).toEqual([]);
    expect(codesIn(`purchase_id,license_key\n${guid},${code}`)).toEqual([code]);
  });

  test('where each row has a name of its own, that one counts', () => {
    const rows = `| Field | Value |\n| --- | --- |\n| License key | SHOP-4471-XQ |\n| Machine ID | ${guid} |`;
    expect(codesIn(rows)).toEqual(['SHOP-4471-XQ']);
    expect(codesIn(`id            | 17\npurchase_code | ${code}\nmachine_id    | ${guid}`)).toEqual(
      [code],
    );
    expect(codesIn(`Machine ID\t${guid}\nPurchase code\t${code}`)).toEqual([code]);
  });

  test.each([
    ['commas of sentences', `Hello, it is about my ticket\nPlease see, ${code}`],
    ['a table without headings', `Orbit\t${code}`],
    ['a line of another width', `Order GUID\tBuyer\tCity\nOrbit\t${code}`],
    ['a word above, by chance', `The machine id  is new\nThanks for it: ${code}`],
  ])('%s name nothing', (_name, text) => {
    expect(codesIn(text)).toEqual([code]);
  });
});
