import { describe, expect, it } from 'vitest';

import { utf8 } from '#core/encoding/index';
import { readingsOf, transportsOfCodes } from '#core/reading/index';
import { findArtifacts } from '#core/license/extract/find-artifacts';
import { CERTIFICATE_CLAIMS, LICENSE_CLAIMS, token } from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';

const signer = makeSigner(1);
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);

const lines = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,76}/g) ?? [];

/** The source of a mail with these files attached, as mail programs save it. */
function mail(text: string, files: readonly Uint8Array[], end = '\r\n'): string {
  const boundary = '----=_Part_12_34.1700000000';
  return [
    'From: Ada <ada@shop.example>',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    text,
    ...files.flatMap((file) => [
      `--${boundary}`,
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename="license.lic"',
      '',
      ...lines(file),
    ]),
    `--${boundary}--`,
    '',
  ].join(end);
}

const state = utf8(JSON.stringify({ license, activation_certificate: certificate }));
/** The text that is left when the parts of a mail are decoded. */
const decoded = (source: string): string | undefined =>
  [...readingsOf(source, transportsOfCodes)].find(
    ({ undone }) => undone.at(-1)?.id === 'mail-parts',
  )?.text;

describe('a mail’s source', () => {
  it.each(['\r\n', '\n'])(
    'gives its files and the text around them, lines ending with %j',
    (end) => {
      const text = decoded(mail('See the files.', [utf8(license), state], end));
      expect(text).toContain(license);
      expect(text).toContain(new TextDecoder().decode(state));
      expect(text).toContain('See the files.');
      expect(text).not.toContain(lines(state)[0]);
    },
  );

  it.each([
    ['without a file', mail('Hello', [])],
    ['of another kind', `Content-Transfer-Encoding: quoted-printable\n\n${license}`],
    ['with a picture', mail('Hello', [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0)])],
  ])('has no such part %s', (_, source) => {
    expect(decoded(source)).toBeUndefined();
  });

  it('may be one text in base64, with blank lines in it', () => {
    const [first = '', ...others] = lines(utf8(`Grüße!\n${license}`));
    const source = `Content-transfer-encoding: BASE64\nX-Id: 1\n\n${first}\n\n${others.join('\n')}\n`;
    expect(decoded(source)).toContain(`Grüße!\n${license}`);
  });

  it.each([
    ['Latin-1', Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65), 'Grüße'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x48, 0, 0x69, 0), 'Hi'],
  ])('may hold a text in %s', (_, bytes, text) => {
    expect(decoded(mail('', [bytes]))).toContain(text);
  });

  it('keeps a part that is damaged as it is', () => {
    const [first = '', ...others] = lines(state);
    const part = `${first.slice(1)}\n${others.join('\n')}`;
    expect(decoded(`Content-Transfer-Encoding: base64\n\n${part}`)).toBeUndefined();
  });
});

describe('documents that are attached to a mail', () => {
  it.each([
    ['a saved state', [state], [license, certificate]],
    ['a file each', [utf8(license), utf8(certificate)], [license, certificate]],
    [
      'behind a picture',
      [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), state],
      [license, certificate],
    ],
  ])('are found: %s', (_, files, raws) => {
    const found = findArtifacts(mail('Hello, it says denied.', files));
    expect(found.artifacts.map(({ raw }) => raw)).toEqual(raws);
    expect(found.repairs.map(({ id }) => id)).toContain('mail-parts');
  });

  it('count once beside the same in its text', () => {
    expect(findArtifacts(mail(license, [utf8(license)])).artifacts).toHaveLength(1);
  });

  it('are none in a mail with a picture alone', () => {
    const found = findArtifacts(
      mail('Hello', [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)]),
    );
    expect(found).toMatchObject({ artifacts: [], repairs: [] });
  });

  it('are found below a header that was copied with a decoded text', () => {
    const wrapped = license.replaceAll(/.{76}/g, '$&\n');
    const found = findArtifacts(`Content-Transfer-Encoding: base64\n\n${wrapped}\n`);
    expect(found.artifacts.map(({ raw }) => raw)).toEqual([license]);
  });
});
