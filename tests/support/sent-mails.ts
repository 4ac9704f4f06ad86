import fc from 'fast-check';

import { codeMails, licenseMails, plainMails } from '#tests/support/customer-mails';
import { spellings, type Transport, transports } from '#tests/support/transports';

/** The form of Gumroad's keys, as a connection states it. */
export const gumroadForm = 'HHHHHHHH-HHHHHHHH-HHHHHHHH-HHHHHHHH';

/** A mail after what it went through. */
export interface SentMail {
  /** What it went through, in that order. */
  readonly through: readonly string[];
  readonly text: string;
}

const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'.split('')),
    minLength: length,
    maxLength: length,
  });
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join('-'));
const uuid = joined(hex(8), hex(4), hex(4), hex(4), hex(12));
const key = joined(hex(8), hex(8), hex(8), hex(8)).map((text) => text.toUpperCase());
const digits = fc.integer({ min: 10_000, max: 99_999 }).map(String);
const letters = fc.string({
  unit: fc.constantFrom(...'ACEGHKLMNPQRT'.split('')),
  minLength: 4,
  maxLength: 6,
});
const odd = joined(fc.constantFrom('LIC', 'ACME', 'PRO'), digits, letters);

/** Up to `most` steps, of which one that must be undone twice counts for two. */
function steps(most: number): fc.Arbitrary<readonly Transport[]> {
  return fc.array(fc.constantFrom(...transports), { maxLength: most }).map((chosen) => {
    let left = most;
    return chosen.filter(({ depth = 1 }) => {
      const fits = depth <= left;
      if (fits) left -= depth;
      return fits;
    });
  });
}

function send(text: string, through: readonly Transport[]): SentMail {
  return {
    through: through.map(({ name }) => name),
    text: through.reduce((sent, transport) => transport.send(sent), text),
  };
}

/** A customer's mail with one code in it, after up to three transports. */
export const mailWithCode: fc.Arbitrary<SentMail & { readonly code: string }> = fc
  .constantFrom(...codeMails)
  .chain(({ text, named }) =>
    fc
      .tuple(
        fc.oneof(
          uuid,
          uuid.map((code) => code.toUpperCase()),
          key,
          ...(named ? [odd] : []),
        ),
        fc.option(fc.constantFrom(...spellings), { freq: 4, nil: undefined }),
        steps(2),
        steps(1),
      )
      .map(([code, spelling, first, second]) => {
        const further = spelling === undefined ? second : [];
        const sent = send(text.replace('{code}', spelling?.send(code) ?? code), [
          ...first,
          ...further,
        ]);
        return { ...sent, code, through: [...(spelling ? [spelling.name] : []), ...sent.through] };
      }),
  );

/** A customer's mail with a license in it, after up to three transports. */
export function mailWithLicense(license: string): fc.Arbitrary<SentMail> {
  return fc
    .tuple(fc.constantFrom(...licenseMails), steps(3))
    .map(([{ text }, through]) => send(text.replace('{code}', license), through));
}

/** A customer's mail without a code, after up to three transports. */
export const mailWithoutCode: fc.Arbitrary<SentMail> = fc
  .tuple(fc.constantFrom(...plainMails), steps(3))
  .map(([text, through]) => send(text, through));
