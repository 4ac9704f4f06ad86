import { createRawReader, writeCell } from '#core/tables/index';
import { classifyInput, maskCode } from '#core/codes/index';
import { locateCandidates } from '#core/codes/find-codes';
import { holdsLicense } from '#core/codes/license-form';
import { parseApiKey } from '#core/connections/index';
import { isLocalHost, parseBaseAddress } from '#core/address/index';
import {
  base64UrlOfBase64,
  decodeStrictBase64,
  parsePlainJson,
  parseJson,
} from '#core/encoding/index';
import { decodeSource } from '#core/reading/index';
import { hostOf } from '#core/http/host';
import { findTokens } from '#core/license/extract/find-tokens';
import { parsePublicKey } from '#core/keys/index';
import { fillTemplate } from '#core/replies/fill-template';
import { inlineMarkdown, inlineText, plainText, visibleText } from '#core/text/index';
import { parseRelayAddress } from '#core/team/index';
import { licenseOnPage } from '#core/ticket/page-text';
import { parseTimestamp } from '#core/time/index';
import { browserNameOf } from '#relay/join/browser-name';
import { isEmail } from '#relay/join/email';
import { holdsToken } from '#relay/rules/index';

const values = { item: 'x', code: 'c' };
/** Every function that reads foreign text, by its name. */
export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  base64UrlOfBase64,
  decodeStrictBase64,
  isLocalHost,
  hostOf,
  parseJson,
  parsePlainJson,
  parseTimestamp,
  parsePublicKey,
  decodeSource,
  findTokens,
  licenseOnPage,
  plainText,
  visibleText,
  inlineText,
  inlineMarkdown,
  browserNameOf,
  isEmail,
  holdsToken,
  locateCandidates: (text) => locateCandidates(text, ['[A-Z]{4}-[A-Z0-9]{4}']),
  classifyInput: (text) => classifyInput(text),
  maskCode,
  'maskCode, masked': (text) => maskCode(`${text}…`),
  holdsLicense,
  parseApiKey,
  parseBaseAddress,
  parseRelayAddress,
  writeCell: (text) => writeCell(text),
  delimited: (text) => {
    const reader = createRawReader(',');
    return [[...reader.push(text)], [...reader.end()]];
  },
  'fillTemplate, the value': (text) =>
    fillTemplate('A {item}.', {
      values: { ...values, item: text },
      variables: ['item', 'code', 'customer', 'agent'],
      format: 'markdown',
      language: 'en',
    }),
  'fillTemplate, the template': (text) =>
    fillTemplate(text, {
      values,
      variables: ['item', 'code', 'customer', 'agent'],
      format: 'plain',
      language: 'en',
    }),
};
