import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';

import { createCodeCollector } from '#core/bulk/collect-codes';
import { createRawReader, writeCsv } from '#core/tables/index';
import { detectLayout } from '#core/bulk/index';
import { canonicalCode, classifyInput, locateCodes } from '#core/codes/index';
import { parseCertificate, parseDocument, parseLicense } from '#core/license/document/document';
import { canonicalJson } from '#core/encoding/index';
import { findArtifacts } from '#core/license/extract/find-artifacts';
import { parsePublicKey } from '#core/keys/index';
import { readSettingsFile } from '#core/settings/index';
import {
  readAccountReply,
  readItemReply,
  readItemsReply,
  readValidationReply,
} from '#core/marketplaces/seller-api/reader';
import {
  CERTIFICATE_CLAIMS,
  jws,
  LICENSE_CLAIMS,
  pinned,
  token,
} from '#tests/core/license/documents';
import { makeSigner } from '#tests/core/keys/sign';
import {
  accountWire,
  askedCode,
  itemWire,
  purchaseWire,
  rawReply,
  rawText,
} from '#tests/core/marketplaces/wire-examples';
import { gumroadForm, mailWithCode, mailWithoutCode } from '#tests/support/sent-mails';
import { settingsWithCode } from '#tests/support/settings-files';
import { isFormula, readLeniently, separators } from '#tests/core/text/lenient-csv';
import { nearly, nearlyJson } from '#tests/fuzz/mutations';
import { otherValues, storedRecords } from '#tests/fuzz/stored-records';
import { mergeConnections } from '#core/settings-import/index';

/** Describes one reader under test: it must return for every input, and keep what its body asserts. */
export interface FuzzTarget {
  readonly name: string;
  /** Builds a property for fast-check; a throw is a finding. */
  readonly property: () => fc.IProperty<unknown>;
}

const signer = makeSigner(7);
const license = token(signer, LICENSE_CLAIMS);
const certificate = token(signer, CERTIFICATE_CLAIMS);
const compact = jws(signer, CERTIFICATE_CLAIMS);
const saved = JSON.stringify({ license, activation_certificate: certificate, domain: 'a.example' });
const documents = [
  license,
  certificate,
  compact,
  saved,
  canonicalJson(CERTIFICATE_CLAIMS),
  JSON.stringify({ payload: license.split('.')[0], signature: license.split('.')[1] }),
  `-----BEGIN LICENSE-----\n${license.replace(/.{60}/g, '$&\n')}\n-----END LICENSE-----`,
  `> Hello,\n> my file:\n> ${license}\nand ${certificate}.`,
] as const;
const ticket = `Dear team, my purchase code: ${askedCode}.\nOld one: 8f14e45fceea767f957528c4dd4bb4a1, LIC-1234-5678-ABCD`;
const csv = `Name;Purchase code;Note\r\n"Lund; Ada";${askedCode};"said ""hi"""\r\nBo;n/a;\r\n`;
const moment = Date.UTC(2026, 10, 3, 12);
const dialect = {
  keyPlacement: 'parameter',
  encoding: 'form',
  proven: true,
  plainUserAgent: false,
  requestsPerMinute: 60,
  codePattern: 'LIC-####',
} as const;
const present = [
  { id: 'a1', name: 'Market', baseAddress: 'https://market.example', revision: 3, dialect },
  {
    id: 'b2',
    name: 'Shop',
    baseAddress: 'https://shop.example/eu',
    revision: 1,
    dialect: { ...dialect, keyPlacement: 'X-API-Key' as const },
  },
];

const text = (
  samples: readonly [string, ...string[]],
  run: (input: string) => void,
): FuzzTarget['property'] => {
  return () => fc.property(nearly(samples), run);
};

const json = (sample: unknown, run: (input: unknown) => void): FuzzTarget['property'] => {
  return () => fc.property(nearlyJson(sample), run);
};

function codeIn(
  texts: fc.Arbitrary<{ readonly text: string; readonly code: string }>,
): FuzzTarget['property'] {
  return () =>
    fc.property(texts, ({ text, code }) => {
      const input = classifyInput(text, { patterns: [gumroadForm] });
      const found = input.kind === 'codes' ? input.codes.map((one) => canonicalCode(one.code)) : [];
      if (!isDeepStrictEqual(found, [canonicalCode(code)]))
        throw new Error(`${input.kind} ${found.join()} instead of ${code}`);
    });
}

function assert(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}

/** Lists what comes in from outside the program, and the reader of each. */
export const targets: readonly FuzzTarget[] = [
  {
    name: 'artifacts',
    property: text(documents, (input) => {
      const { artifacts } = findArtifacts(input);
      assert(artifacts.length <= input.length, 'more documents than characters');
    }),
  },
  {
    name: 'documents',
    property: text(documents, (input) => {
      parseLicense(input);
      parseCertificate(input);
      parseDocument(input, 'certificate');
    }),
  },
  {
    name: 'public-keys',
    property: text(
      [
        pinned(signer).raw,
        Buffer.from(signer.publicKey).toString('base64'),
        `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${Buffer.from(signer.publicKey).toString('base64')}\n-----END PUBLIC KEY-----\n`,
        `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${Buffer.from(signer.publicKey).toString('base64')} a@b`,
        JSON.stringify({
          kty: 'OKP',
          crv: 'Ed25519',
          x: Buffer.from(signer.publicKey).toString('base64url'),
        }),
      ],
      (input) => {
        const key = parsePublicKey(input);
        assert(!key.ok || key.value.raw.length === 64, 'a key of another length than 32 bytes');
      },
    ),
  },
  {
    name: 'replies',
    property: json(
      {
        status: 'success',
        msg: 'Invalid purchase code',
        data: { purchase: purchaseWire(), ...accountWire() },
        item: itemWire(),
        items: [itemWire()],
      },
      (input) => {
        const reply = rawReply(input);
        readAccountReply(reply, moment);
        readItemsReply(reply, moment);
        readItemReply(reply, 41, moment);
        const answer = readValidationReply(reply, askedCode, moment);
        assert(
          !answer.ok ||
            answer.value.kind !== 'purchase' ||
            answer.value.purchase.purchaseCode.toLowerCase() === askedCode,
          'a purchase of another code',
        );
      },
    ),
  },
  {
    name: 'reply-texts',
    property: () =>
      fc.property(
        nearly([
          JSON.stringify({ status: 'success', data: { purchase: purchaseWire() } }),
          '<br />\n<b>Notice</b>: Undefined index\n{"status":"error","msg":"Invalid request"}',
          '<!doctype html><title>404</title>',
        ]),
        fc.constantFrom(200, 404, 500),
        (input, status) => {
          readValidationReply(rawText(input, status), askedCode, moment);
          readItemsReply(rawText(input, status), moment);
        },
      ),
  },
  {
    name: 'codes',
    property: text([ticket, askedCode, `\u00ab${askedCode}\u00bb`], (input) => {
      classifyInput(input, { patterns: ['LIC-####-####-@@@@'] });
      for (const { start, end } of locateCodes(input, []))
        assert(start >= 0 && start < end && end <= input.length, 'a code outside the text');
    }),
  },
  { name: 'mails-with-codes', property: codeIn(mailWithCode) },
  { name: 'settings-with-codes', property: codeIn(settingsWithCode) },
  {
    name: 'mails-without-codes',
    property: () =>
      fc.property(mailWithoutCode, ({ text }) => {
        const { kind } = classifyInput(text, { patterns: [gumroadForm] });
        if (kind === 'codes') throw new Error('codes in a mail that has none');
      }),
  },
  {
    name: 'csv-in',
    property: text([csv, csv.replaceAll(';', ','), csv.replaceAll(';', '\t')], (input) => {
      detectLayout(input);
      const middle = input.length >> 1;
      const whole = createRawReader(';');
      const cut = createRawReader(';');
      const once = [...whole.push(input), ...whole.end()];
      const twice = [
        ...cut.push(input.slice(0, middle)),
        ...cut.push(input.slice(middle)),
        ...cut.end(),
      ];
      assert(
        JSON.stringify(once) === JSON.stringify(twice),
        'pieces read otherwise than the whole',
      );
      const codes = createCodeCollector('line');
      for (const { cells, line } of once) codes.add(cells[0] ?? '', line);
    }),
  },
  {
    name: 'csv-out',
    property: text([ticket, '=1+1', 'x;"=1+1;', csv], (input) => {
      const written = writeCsv([[input, 1, input]]);
      for (const separator of separators)
        for (const quotes of ['heeded', 'ignored'] as const) {
          const formula = readLeniently(written, separator, quotes).find(isFormula);
          assert(formula === undefined, `a formula: ${formula ?? ''}`);
        }
    }),
  },
  {
    name: 'settings-file',
    property: json(
      {
        format: 'counterfoil-settings',
        version: 2,
        sites: [{ origin: 'https://desk.example', automatic: false }],
        authorities: [
          {
            id: 'b1',
            name: 'Licenses',
            address: 'https://licenses.example',
            kind: 'live',
            products: [],
          },
        ],
        connections: [
          {
            id: 'a1',
            name: 'Market',
            baseAddress: 'https://market.example',
            dialect,
          },
        ],
      },
      (input) => {
        const read = readSettingsFile(input);
        if (!read.ok) return;
        const { list: connections } = mergeConnections(present, read.value.connections, {
          hasKey: () => true,
          createId: randomUUID,
        });
        assert(
          new Set(connections.map(({ id }) => id)).size === connections.length,
          'two connections with one id',
        );
        for (const before of present) {
          const after = connections.find(({ id }) => id === before.id);
          assert(after?.baseAddress === before.baseAddress, 'a key for another address');
          assert(
            before.dialect.keyPlacement === 'parameter' ||
              after?.dialect.keyPlacement !== 'parameter',
            'a key that goes in a header became a parameter',
          );
        }
        const exported = connections.map(({ id, name, baseAddress, dialect: own }) => ({
          id,
          name,
          baseAddress,
          dialect: own,
        }));
        assert(
          readSettingsFile({ ...read.value, connections: exported }).ok,
          'an export that is not read back',
        );
      },
    ),
  },
  {
    name: 'stored-records',
    property: () =>
      fc.property(
        fc.oneof(
          ...storedRecords.map(({ codec, sample }) =>
            fc.record({ codec: fc.constant(codec), value: nearlyJson(sample, otherValues) }),
          ),
        ),
        ({ codec, value }) => {
          const first = codec.read(value);
          if (first.kind !== 'readable') return;
          const second = codec.read(codec.write(first.record));
          assert(
            second.kind === 'readable' && isDeepStrictEqual(second.record, first.record),
            'a record that is written otherwise than it was read',
          );
        },
      ),
  },
];
