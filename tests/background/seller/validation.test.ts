import { describe, expect, test } from 'vitest';

import type { KeyCheck } from '#background/seller/accounts';
import type { SearchMemory } from '#background/seller/search-memory';
import type { SellerItems } from '#background/seller/seller-items';
import type { SellerClient } from '#background/seller/seller-client';
import { createValidation } from '#background/seller/validation';
import { defaultDialect } from '#core/connections/index';
import { succeed, fail } from '#core/result';
import type { RawReply } from '#core/http/exchange';
import { laterReaders, readersFrom } from '#core/marketplaces/asking';
import { purchaseWire, rawReply } from '#tests/core/marketplaces/wire-examples';

const { codeReaderOf } = readersFrom(() => laterReaders);

const code = '86781236-23d0-4b3c-7dfa-c1c147e0dece';
const connection = {
  id: 'one',
  name: 'One',
  baseAddress: 'https://market.example',
  revision: 1,
  dialect: { ...defaultDialect, proven: true },
};
const access = { connection, apiKey: 'key', deadline: 20_000, wasLocked: () => false };

const noSearches: SearchMemory = {
  read: () => Promise.resolve(new Map()),
  store: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

const noItems: SellerItems = {
  inSearchOrder: () => Promise.resolve(succeed([])),
  rememberItem: () => Promise.resolve(),
};

type ValidationParts = Parameters<typeof createValidation>[0];

/** Validates with parts of its own; in place of others the key is good, nothing is searched for and no time passes. */
function validationWith(parts: Pick<ValidationParts, 'client'> & Partial<ValidationParts>) {
  return createValidation({
    accounts: {
      checkKey: () => Promise.resolve(succeed('good')),
      checkKeyAfter: () => Promise.resolve(succeed('good')),
    },
    searches: noSearches,
    sellerItems: noItems,
    codeReaderOf,
    now: () => 0,
    proveDialect: ({ connection: same }) => Promise.resolve(same),
    ...parts,
  });
}

/** Validates at a seller API that sends one reply to every request, and whose new account check has this result. */
function validateWith(raw: RawReply, keyCheck: KeyCheck, remembered: KeyCheck = succeed('good')) {
  const client: SellerClient = {
    request: (_access, call) => Promise.resolve(call.read(raw, 0)),
  };
  return validationWith({
    client,
    accounts: {
      checkKey: () => Promise.resolve(remembered),
      checkKeyAfter: () => Promise.resolve(keyCheck),
    },
  }).validate(access, code);
}

/** Validates at a seller API that knows these codes alone, each in one spelling. */
async function validateAmong(known: readonly string[], typed: string) {
  const sent: string[] = [];
  const client: SellerClient = {
    request: (_access, call) => {
      const { body } = call.build({ ...access, apiKey: 'key' });
      const fields = new URLSearchParams(body?.type === 'text' ? body.text : '');
      const asked = fields.get('purchase_code') ?? '';
      sent.push(asked);
      const purchase = { ...purchaseWire(), purchase_code: asked };
      const reply = known.includes(asked)
        ? rawReply({ status: 'success', data: { purchase } })
        : rawReply({ status: 'error', msg: 'Invalid purchase code' }, 404);
      return Promise.resolve(call.read(reply, 0));
    },
  };
  const validation = validationWith({
    client,
  });
  return { ...(await validation.validate(access, typed)), sent };
}

describe('spellings', () => {
  const capitals = code.toUpperCase();

  test('a code in capitals is validated as typed first, and then in the common form', async () => {
    expect(await validateAmong([code], capitals)).toMatchObject({
      sent: [capitals, code],
      foundSpelling: code,
      outcome: succeed({ kind: 'purchase' }),
    });
  });

  test('a code that is found as typed is validated in no other spelling', async () => {
    const { sent, foundSpelling } = await validateAmong([capitals, code], capitals);
    expect(sent).toEqual([capitals]);
    expect(foundSpelling).toBeUndefined();
  });

  test('a code in the common form that is not found is validated once', async () => {
    const { sent, outcome } = await validateAmong([capitals], code);
    expect(sent).toEqual([code]);
    expect(outcome).toMatchObject(succeed({ kind: 'not-found' }));
  });
});

describe.each([401, 403])('an error at HTTP %i', (status) => {
  const raw = rawReply({ status: 'error', msg: 'Invalid purchase code' }, status);
  const refused = {
    ok: false,
    fault: { kind: 'refused', msg: 'Invalid purchase code', about: 'key' },
  } as const;

  test('is about the code when the account check finds the key good', async () => {
    const { outcome } = await validateWith(raw, { ok: true, value: 'good' });
    expect(outcome).toEqual(
      succeed({ kind: 'not-found', msg: 'Invalid purchase code', key: 'good', proven: true }),
    );
  });

  test('of which the server says that it is about something else stays a refusal', async () => {
    const msg = 'Forbidden';
    const { outcome } = await validateWith(rawReply({ message: msg }, status), succeed('good'));
    expect(outcome).toEqual(fail({ kind: 'refused', msg, about: 'request' }));
  });

  test('stays about the key when the account could not be requested', async () => {
    const { outcome } = await validateWith(raw, { ok: true, value: 'unknown' });
    expect(outcome).toEqual(refused);
  });

  test('is judged by a new account check, and not by the one that is remembered', async () => {
    expect((await validateWith(raw, refused, succeed('good'))).outcome).toEqual(refused);
    expect((await validateWith(raw, succeed('good'), refused)).outcome).toMatchObject({
      value: { kind: 'not-found', key: 'good' },
    });
  });

  test('is the account check’s own refusal when that refuses the key', async () => {
    const judged = { ...refused, fault: { ...refused.fault, msg: 'Invalid request' } };
    const { outcome } = await validateWith(raw, judged);
    expect(outcome).toEqual(judged);
  });
});

/** Validates or detects at a seller API that gives these replies in turn, the last one for ever. */
function scripted(replies: readonly unknown[], dialect = connection.dialect) {
  const sent: string[] = [];
  const client = {
    request: (
      asked: typeof access,
      call: { build: (seller: object) => { readonly url: string } },
    ) => {
      const { encoding, keyPlacement } = asked.connection.dialect;
      sent.push(`${keyPlacement} ${encoding}`);
      call.build(asked);
      return Promise.resolve(replies[sent.length - 1] ?? replies.at(-1));
    },
  } as unknown as SellerClient;
  const validation = validationWith({
    client,
    proveDialect: ({ connection: before }, proven) =>
      Promise.resolve({ ...before, dialect: proven }),
  });
  const asked = { ...access, connection: { ...connection, dialect } };
  return { sent, validation, access: asked };
}

const missing = { ok: true, value: { kind: 'not-found', msg: 'No such code' } } as const;
const refusal = {
  ok: false,
  fault: { kind: 'refused', msg: 'Bad request', about: 'request' },
} as const;
const unreadable = { ok: false, fault: { kind: 'unreadable', path: 'item' } } as const;

describe('detecting a dialect', () => {
  test.each(
    [
      ['rate-limited', 'timeout', 'offline'],
      ['unreachable', 'redirected', 'api-off'],
    ].flat(),
  )('ends at a fault that every other dialect would meet: %s', async (kind) => {
    const fault = { ok: false, fault: { kind } } as const;
    const { sent, validation, access: asked } = scripted([fault]);
    expect(await validation.detectDialect(asked, code)).toEqual(fault);
    expect(sent).toHaveLength(1);
  });

  test('goes on after any other, and ends with what the present dialect met', async () => {
    const { sent, validation, access: asked } = scripted([unreadable, missing]);
    expect(await validation.detectDialect(asked, code)).toEqual(unreadable);
    expect(sent.length).toBeGreaterThan(4);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test('ends with the server’s words where the code is not known in any', async () => {
    const { validation, access: asked } = scripted([missing]);
    expect(await validation.detectDialect(asked, code)).toEqual(
      fail({ kind: 'refused', msg: 'No such code', about: 'request' }),
    );
  });
});

describe('a code that is not found where no way of asking is proven', () => {
  const unproven = { ...connection.dialect, proven: false };

  test('is not known to be missing when another way could not be tried', async () => {
    const fault = { ok: false, fault: { kind: 'rate-limited', retryAt: 60_000, by: 'us' } };
    const { validation, access: asked } = scripted([missing, missing, fault], unproven);
    expect((await validation.validate(asked, code)).outcome).toEqual(fault);
  });

  test.each([502, 503, 504])(
    'is not known to be missing when a gateway failed with %i',
    async (status) => {
      const fault = { ok: false, fault: { kind: 'server-error', status } };
      const { sent, validation, access: asked } = scripted([missing, missing, fault], unproven);
      expect((await validation.validate(asked, code)).outcome).toEqual(fault);
      expect(sent).toHaveLength(3);
    },
  );

  test('is searched for in further encodings after one that a server fails to read', async () => {
    const fault = { ok: false, fault: { kind: 'server-error', status: 500 } };
    const { sent, validation, access: asked } = scripted([missing, fault, missing], unproven);
    expect((await validation.validate(asked, code)).outcome).toMatchObject({
      value: { kind: 'not-found', proven: false },
    });
    expect(sent).toHaveLength(4);
  });

  test('is not found when it is in none', async () => {
    const { validation, access: asked } = scripted([missing], unproven);
    expect((await validation.validate(asked, code)).outcome).toMatchObject({
      value: { kind: 'not-found', proven: false },
    });
  });
});

describe('a code that no item of the account has', () => {
  const none = succeed({ kind: 'not-found', msg: 'No' });
  const known = succeed({ kind: 'not-found', msg: 'Of another item', known: true });
  const refusedAs = (msg: string) => fail({ kind: 'refused', msg, about: 'request' });

  /** Validates at a marketplace that answers a look-up and then a question for each item with these replies. */
  async function asked(lookUp: unknown, ...byItem: unknown[]) {
    const replies = [lookUp, ...byItem];
    const call = { build: () => expect.unreachable(), read: () => expect.unreachable() };
    const { outcome } = await validationWith({
      client: { request: () => Promise.resolve(replies.shift()) } as unknown as SellerClient,
      sellerItems: {
        ...noItems,
        inSearchOrder: () => Promise.resolve(succeed(byItem.map((_, id) => ({ id, name: '' })))),
      },
      codeReaderOf: () => ({
        correctedSpelling: () => undefined,
        account: () => expect.unreachable(),
        itemsToAsk: () => expect.unreachable(),
        lookUp: () => call,
        purchase: () => call,
      }),
    }).validate(access, code);
    return outcome;
  }

  test('is not found where the look-up and each item say so', async () => {
    expect(await asked(none, none, none)).toMatchObject({ value: { kind: 'not-found' } });
  });

  test('is not known to be missing where the look-up could not be read', async () => {
    expect(await asked(unreadable, none, none)).toEqual(unreadable);
    expect(await asked(unreadable)).toEqual(unreadable);
  });

  test('is not missing where the marketplace knows it', async () => {
    expect(await asked(known, none)).toEqual(refusedAs('Of another item'));
    expect(await asked(known)).toEqual(refusedAs('Of another item'));
    expect(await asked(none, none, known)).toEqual(refusedAs('Of another item'));
  });
});

describe('a refusal', () => {
  test('in any words is judged by a new account check: the key may have been replaced', async () => {
    const raw = rawReply({ status: 'error', msg: 'Invalid API key' });
    const judged = fail({ kind: 'refused', msg: 'Invalid request', about: 'key' } as const);
    expect((await validateWith(raw, judged, succeed('good'))).outcome).toEqual(judged);
  });

  test('that is not about the key stays one, even where the key is good', async () => {
    const { validation, access: asked } = scripted([refusal]);
    expect((await validation.validate(asked, code)).outcome).toEqual(refusal);
  });

  test('of the corrected spelling says nothing about the code as typed', async () => {
    const { validation, access: asked } = scripted([missing, refusal]);
    const { outcome, foundSpelling } = await validation.validate(asked, code.toUpperCase());
    expect(outcome).toMatchObject(succeed({ kind: 'not-found', msg: 'No such code' }));
    expect(foundSpelling).toBeUndefined();
  });
});

describe('a search among items', () => {
  /**
   * Searches ten items, each in `requestMs`, until `deadline`. Returns how many were asked about and what came of it.
   */
  async function search(requestMs: number, deadline: number) {
    let now = 0;
    let asked = 0;
    const unknown = rawReply(
      { success: false, message: 'That license does not exist for the provided product.' },
      404,
    );
    const client: SellerClient = {
      request: (one, call) => {
        // A key that may not search all sales, which is asked for first.
        if (!call.build(one).url.endsWith('/verify'))
          return Promise.resolve(call.read(rawReply({ success: false }, 403), now));
        now += requestMs;
        asked += 1;
        return Promise.resolve(call.read(unknown, now));
      },
    };
    const items = Array.from({ length: 10 }, (_, at) => ({ id: `item-${String(at)}`, name: '' }));
    const { outcome } = await validationWith({
      client,
      sellerItems: { ...noItems, inSearchOrder: () => Promise.resolve(succeed(items)) },
      now: () => now,
    }).validate(
      { ...access, connection: { ...connection, marketplace: 'gumroad' }, deadline },
      '2B34C4F5-9A1D4E77-8C0F6B21-D5E3A790',
    );
    return { asked, outcome };
  }

  test('asks about no further item with less than two seconds left, and says how far it is', async () => {
    expect(await search(1000, 5000)).toEqual({
      asked: 4,
      outcome: fail({
        kind: 'rate-limited',
        retryAt: 5000,
        by: 'pacing',
        search: { asked: 4, of: 10 },
      }),
    });
  });

  test('goes through all items where there is time', async () => {
    expect(await search(1000, 60_000)).toMatchObject({
      asked: 10,
      outcome: succeed({ kind: 'not-found' }),
    });
  });
});
