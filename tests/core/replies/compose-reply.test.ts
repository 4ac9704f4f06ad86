import { fail, succeed } from '#core/result';
import { rawOf, strayKey } from '#sandbox/authority/keys';
import { sampleFiles } from '#sandbox/samples/files';
import { describe, expect, it } from 'vitest';

import { composeReplies, composeReply } from '#core/replies/compose-reply';
import { licenseReplyFacts } from '#core/replies/license-facts';
import { type ReplyFacts, wordsFact } from '#core/replies/reply-facts';
import { sampleFacts } from '#core/replies/sample-facts';
import { licenseSituations, purchaseSituations } from '#core/reply-templates/index';
import { hexOf } from '#core/encoding/index';
import { type InspectOptions, inspectText } from '#core/license/inspect/inspect';
import type { Inspection } from '#core/license/index';
import { fingerprintOf } from '#core/keys/index';
import { webCryptoEngine } from '#core/keys/ed25519';
import { dayMs } from '#core/time/index';
import {
  CERTIFICATE_CLAIMS,
  DAY,
  LICENSE_CLAIMS,
  NOW,
  pinned,
  token,
  without,
} from '#tests/core/license/documents';
import { inspection, signer } from '#tests/core/license/inspect/inspecting';
import { makeSigner } from '#tests/core/keys/sign';
import { catalogues, repliesTo, sentencesOf, styleOf } from '#tests/core/replies/replies';

const bundle = [token(signer, LICENSE_CLAIMS), token(signer, CERTIFICATE_CLAIMS)] as const;
const [[, english] = []] = catalogues.filter(([language]) => language === 'en');
if (english === undefined) throw new Error('There is no English catalogue.');
const style = styleOf('en', english);

function factsOf(inspected: Inspection): ReplyFacts {
  const facts = licenseReplyFacts(inspected);
  if (!facts.ok) throw new Error(`nothing to say: ${facts.fault}`);
  return facts.value;
}

/** The first built-in reply to a document. */
async function replyTo(...about: Parameters<typeof inspection>): Promise<string> {
  return repliesTo(factsOf(await inspection(...about)), style)[0] ?? '';
}

it.each(['constructor', '__proto__', 'toString'])(
  'a license type of the name %s is said as it was sent',
  (sent) => {
    const [situation] = purchaseSituations;
    const values = { license: { kind: 'license-type', sent } } as const;
    const template = { situation, text: 'Yours is {license}.' };
    const reply = composeReply({ values }, template, style);
    expect(reply.replaceAll('\u200C', '')).toContain(`Yours is ${sent}.`);
  },
);

describe('greeting and closing', () => {
  const named = {
    ...style,
    frame: { greeting: 'Dear {customer},', closing: 'Yours\n{agent}\n-- \nFenwick' },
    agent: 'Jo *Marlin*',
  };
  const template = { situation: 'supported', text: 'It is {item}.' } as const;
  const about = (customer?: string): ReplyFacts => ({
    situation: 'supported',
    values: {
      code: { kind: 'text', text: '8678…dece' },
      item: { kind: 'text', text: 'Orbit' },
      ...(customer !== undefined && { customer: { kind: 'text', text: customer } as const }),
    },
  });

  it('name the customer and the agent, and leave out who is not known', () => {
    expect(composeReply(about('Ada'), template, { ...named, agent: 'Jo' })).toBe(
      'Dear Ada,\n\nIt is Orbit.\n\nYours\nJo\n--\nFenwick',
    );
    const unnamed = { ...named, agent: '' };
    expect(composeReply(about(), template, unnamed)).toBe(
      'Dear,\n\nIt is Orbit.\n\nYours\n--\nFenwick',
    );
    expect(composeReply(about(), template, { ...named, format: 'markdown' })).toContain(
      String.raw`Yours` + '\n' + String.raw`Jo \*Marlin\*`,
    );
  });

  it('without names stay as they are written', () => {
    const frame = { greeting: 'Hello {friend},', closing: 'Yours\n-- \nFenwick' };
    expect(composeReply(about(), template, { ...named, frame })).toBe(
      'Hello {friend},\n\nIt is Orbit.\n\nYours\n-- \nFenwick',
    );
  });

  it('of a reply about several purchases name the customer of all of them, or nobody', () => {
    const replyTo = (...customers: string[]): string =>
      composeReplies(
        customers.map((customer) => ({ facts: about(customer), template })),
        named,
      );
    expect(replyTo('Ada', 'Ada')).toMatch(/^Dear Ada,\n/u);
    expect(replyTo('Ada', 'Ben')).toMatch(/^Dear,\n/u);
  });

  it('of a reply about several purchases are said once, whatever greeting a template brings', () => {
    const whole = { ...template, text: 'Hi there,\nall is fine.\nYours, Me', whole: true } as const;
    const parts = ['Ada', 'Ada'].map((customer) => ({ facts: about(customer), template: whole }));
    const text = composeReplies(parts, named);
    expect(text).toMatch(/^Dear Ada,\n/u);
    expect(text).not.toContain('Hi there');
    expect(composeReplies(parts.slice(0, 1), named)).toBe(whole.text);
  });
});

describe('a reply about a license', () => {
  it.each([
    [{ buyer: 'Ada Example' }, 'Ada Example'],
    [{ customer: 7, licensee: 'Ben' }, 'Ben'],
    [{ customer: 'ada@example.com' }, undefined],
    [{}, undefined],
  ])('knows the customer whom it names itself: %j', async (claims, text) => {
    const inspected = await inspection([token(signer, { ...LICENSE_CLAIMS, ...claims })]);
    expect(factsOf(inspected).values.customer).toEqual(
      text === undefined ? undefined : { kind: 'text', text },
    );
  });

  it('says once that the site could not reach the license server', async () => {
    const text = await replyTo(bundle, { now: NOW + 5 * DAY, unreached: true });
    expect(text.match(/could not reach/g)).toHaveLength(1);
    expect(text).toContain('may keep running until December 4, 2026 at 12:00 AM UTC');
  });

  it('states nothing of a part that was altered, nor of the genuine part beside it as if it were whole', async () => {
    const kid = pinned(signer).fingerprint.slice(0, 16);
    const forged = token(makeSigner(9), { ...CERTIFICATE_CLAIMS, kid, domain: 'forged.example' });
    const text = await replyTo([bundle[0], forged]);
    expect(text).toContain('The activation certificate is not as it was issued');
    expect(text).not.toMatch(/forged|shop\.example|harbour|2026|genuine/);
  });

  it('names both domains where they differ, and says what the difference is', async () => {
    const text = await replyTo(bundle, { expected: { domain: 'www.shop.example.com' } });
    expect(text).toContain('is bound to shop.example.com, not to www.shop.example.com.');
    expect(text).toContain('One of the two begins with “www.”');
  });

  it('names the domain of a certificate so that it becomes no link', async () => {
    const facts = factsOf(await inspection(bundle));
    const text = composeReply(facts, { situation: facts.situation, text: 'On {domain}.' }, style);
    expect(text).not.toMatch(/\w\.\w/u);
    expect(text.replaceAll('\u200C', '')).toContain('On shop.example.com.');
  });

  it('names no domain that holds hidden characters', async () => {
    const hidden = token(signer, { ...CERTIFICATE_CLAIMS, domain: 'shop.exam\u202Eple.com' });
    const text = await replyTo([bundle[0], hidden]);
    expect(text).toContain('characters that cannot be seen');
    expect(text).not.toContain('shop.');
    const facts = factsOf(await inspection([bundle[0], hidden]));
    expect(Object.keys(facts.values)).not.toContain('domain');
  });

  it('gives no deadline when two genuine certificates contradict each other', async () => {
    const undated = {
      ...without(CERTIFICATE_CLAIMS, 'issued_at'),
      next_validation_at: '2026-11-05T00:00:00Z',
    };
    const text = await replyTo([...bundle, token(signer, undated)]);
    expect(text).toContain('active on shop.example.com');
    expect(text).not.toMatch(/checks in with|may run without contact/);
  });

  it('calls genuine what was sent, and no license that was not', async () => {
    const text = await replyTo(bundle[1]);
    expect(text).toContain('Thank you for the file. It is genuine: harbour-theme is active');
    expect(text).not.toMatch(/license (?:for \S+ )?is genuine/);
  });

  it('gives no date of a license as that of the certificate beside it', async () => {
    const undated = token(signer, without(CERTIFICATE_CLAIMS, 'issued_at'));
    const text = await replyTo([bundle[0], undated]);
    expect(text).toContain('It cannot show changes made on the license server since then');
    expect(text).not.toContain('September');
  });

  it('calls a text damaged that lost its shape in a mail, but not one between BEGIN and END lines', async () => {
    const lines = (text: string): string => text.replaceAll(/(.{40})/g, '$1\n');
    const armoured = `-----BEGIN LICENSE-----\n${lines(bundle[0])}\n-----END LICENSE-----`;
    expect(await replyTo(lines(bundle[0]))).toContain('damaged in transit');
    expect(await replyTo(armoured)).not.toContain('damaged');
  });

  it('gives the authority’s refusal before anything that the file says', async () => {
    const [license, certificate] = bundle;
    const msg = 'License revoked';
    const answer = { at: NOW, outcome: 'refused', authority: 'Sandbox', msg } as const;
    const facts = licenseReplyFacts(
      await inspection(bundle, { answers: [{ ...answer, license, certificate }] }),
    );
    expect(facts).toMatchObject(succeed({ situation: 'refused' }));
    const [text = ''] = facts.ok ? repliesTo(facts.value, style) : [];
    expect(text).toContain(
      'The license server refused this license when we asked it on November 3, 2026 at 12:00 PM UTC. Its answer was “License revoked”.',
    );
    expect(text).not.toContain('active');
  });

  it('says when a refusal was given of a license that was never activated', async () => {
    const [license] = bundle;
    const answers = [
      {
        at: NOW,
        outcome: 'refused',
        authority: 'Sandbox',
        msg: '',
        license,
        certificate: undefined,
      },
    ] as const;
    const text = await replyTo([license], { answers });
    expect(text).toContain('when we asked it on November 3, 2026 at 12:00 PM UTC.');
  });

  it('says whose word a refusal is that only the file records', async () => {
    const state = JSON.stringify({
      license: bundle[0],
      activation_certificate: bundle[1],
      last_contact: { at: new Date(NOW).toISOString(), outcome: 'refused' },
    });
    const text = await replyTo(state);
    expect(text).toContain('According to the record in the file');
    expect(text).not.toContain('when we asked');
  });

  it.each<[string, Partial<InspectOptions> & { keys?: [] }]>([
    ['no-keys', { keys: [] }],
    ['dated-ahead', { now: NOW - 30 * DAY }],
    ['not-comparable', { expected: { domain: 'http://' } }],
    ['not-comparable', { expected: { installationId: 'seven' } }],
  ])('is none, with a reason: %s', async (reason, changes) => {
    expect(licenseReplyFacts(await inspection(bundle, changes))).toEqual(fail(reason));
  });
});

describe('a composed reply', () => {
  const facts = sampleFacts('supported', NOW, 'Orbit');
  const template = { situation: 'supported', text: 'It is {item}.' } as const;

  it('is the greeting, the text and the closing of the settings', () => {
    const frame = { greeting: 'Dear customer,', closing: 'Yours\nAda' };
    expect(composeReply(facts, template, { ...style, frame })).toBe(
      'Dear customer,\n\nIt is Orbit.\n\nYours\nAda',
    );
  });

  it('has no blank lines for a greeting or a closing that is empty', () => {
    const frame = { greeting: ' \n', closing: '' };
    expect(composeReply(facts, template, { ...style, frame })).toBe('It is Orbit.');
    expect(
      composeReply(facts, template, { ...style, frame: { ...frame, closing: ' Ada\n' } }),
    ).toBe('It is Orbit.\n\nAda');
  });

  it.each([
    ['Regular', 'einfach'],
    [' EXTENDED ', 'erweitert'],
    ['Site-wide', 'Site-wide'],
    [undefined, ''],
  ])('says a license type in its language where it has a word for it: %j', (sent, written) => {
    const catalogue = {
      ...english,
      licenseTypes: { regular: 'einfach', extended: 'erweitert' },
    };
    const values = sent === undefined ? {} : { license: { kind: 'license-type', sent } as const };
    const text = composeReply(
      { values },
      { situation: 'supported', text: '{license}', whole: true },
      { ...style, catalogue },
    );
    expect(text).toBe(written);
  });

  it('says several words one after the other, each once, and how far off a moment is', () => {
    const values = {
      note: wordsFact(['note-test', 'note-damaged', 'note-test']) ?? [],
      issued: { kind: 'span', at: NOW - 3 * DAY, now: NOW },
    } as ReplyFacts['values'];
    const text = '{note} {issued}';
    expect(composeReply({ values }, { situation: 'activated', text, whole: true }, style)).toBe(
      `${english.words['note-test']} ${english.words['note-damaged']} 3 days ago`,
    );
  });

  it('is the text alone where that has a greeting of its own', () => {
    expect(composeReply(facts, { ...template, whole: true }, style)).toBe('It is Orbit.');
  });

  it('is empty where the template is: a greeting alone says nothing', () => {
    expect(composeReply(facts, { ...template, text: ' \n' }, style)).toBe('');
    expect(
      composeReply(facts, { ...template, text: 'From {supported_until}: {version}.' }, style),
    ).not.toBe('');
  });

  it('says the zone of a moment whose hour counts, and dates alone of all others', () => {
    const at = Date.UTC(2027, 2, 12, 14, 5);
    const values = {
      bought: { kind: 'day', at },
      supported_until: { kind: 'moment', at },
    } as const;
    const text = composeReply(
      { ...facts, values },
      { ...template, text: '{bought}, {supported_until}' },
      style,
    );
    expect(text).toContain('March 12, 2027, March 12, 2027 at 2:05 PM UTC');
  });
});

/** What a customer may not be told: what documents say whose signature did not verify, and no genuine one says too. */
function unprovenValues(inspected: Inspection): string[] {
  const all = [inspected.license, inspected.certificate, ...inspected.otherCertificates];
  const valuesOf = (isGenuine: boolean): string[] =>
    all
      .filter((view) => view?.genuine === isGenuine)
      .flatMap((view) => Object.values(view?.says?.claims ?? {}))
      .map(String)
      .filter((value) => value.length > 3);
  const proven = new Set(valuesOf(true));
  return valuesOf(false).filter((value) => !proven.has(value) && value !== 'license');
}

describe('every reply', async () => {
  const now = Date.UTC(2026, 10, 15, 9);
  const key = strayKey(now);
  const raw = new Uint8Array(rawOf(key.publicKey));
  const engine = webCryptoEngine(crypto.subtle);
  const base = {
    engine,
    keys: [pinned(signer, { raw: hexOf(raw), fingerprint: fingerprintOf(raw) })],
  };
  const asked: (readonly [string, Partial<InspectOptions> & { keys?: typeof base.keys }])[] = [
    ['', {}],
    ['on another domain', { expected: { domain: 'other.example.org' } }],
    ['for another product', { expected: { productSlug: 'borealis-theme' } }],
    [
      'of another installation',
      { expected: { installationId: '0b3f6d1e-8a4c-4e52-9d10-5f2f6f3c1a88' } },
    ],
    ['unreached', { unreached: true }],
    ['refused', { lastContact: { at: now, outcome: 'refused' } }],
    ['later', { now: now + 10 * dayMs }],
    ['much later', { now: now + 90 * dayMs }],
    ['under a test key', { keys: base.keys.map((one) => ({ ...one, kind: 'test' as const })) }],
    ['under a revoked key', { keys: base.keys.map((one) => ({ ...one, revoked: true })) }],
  ];
  const inspections = await Promise.all(
    sampleFiles(key, now).flatMap(({ name, content }) =>
      asked.map(async ([how, changes]) => ({
        name: `${name} ${how}`.trim(),
        inspected: await inspectText(content, { ...base, now, ...changes }),
      })),
    ),
  );
  const licenses = inspections.flatMap(({ name, inspected }) =>
    [inspected, ...inspected.others].flatMap((one) => {
      const facts = licenseReplyFacts(one);
      return facts.ok ? [{ name, facts: facts.value, unproven: unprovenValues(one) }] : [];
    }),
  );
  const purchases = purchaseSituations.map((situation) => ({
    name: situation,
    facts: sampleFacts(situation, now, 'Orbit'),
    unproven: [] as string[],
  }));

  it('is tried: nearly all samples have one, and every situation comes up', () => {
    expect(licenses.length).toBeGreaterThan(400);
    const situations = new Set(licenses.map(({ facts }) => facts.situation));
    expect([...situations].sort()).toEqual([...licenseSituations].sort());
  });

  it('has no fact of a document that did not verify, whatever a template of the agent’s own names', () => {
    for (const { name, facts, unproven } of licenses) {
      const known = JSON.stringify(facts.values);
      const told = unproven.filter(
        (value) => known.includes(value) || known.includes(String(Date.parse(value))),
      );
      expect([name, told]).toEqual([name, []]);
    }
  });

  it.each(catalogues)(
    'in %s says nothing twice, greets, closes, and is sure of what it says',
    (language, catalogue) => {
      const written = styleOf(language, catalogue);
      for (const { name, facts, unproven } of [...purchases, ...licenses]) {
        const replies = repliesTo(facts, written);
        expect([name, replies.length > 0]).toEqual([name, true]);
        for (const text of replies) {
          const sentences = sentencesOf(text, language);
          expect([name, sentences]).toEqual([name, [...new Set(sentences)]]);
          expect([name, text.startsWith(`${catalogue.greeting}\n\n`)]).toEqual([name, true]);
          expect([name, text.endsWith(`\n\n${catalogue.closing}`)]).toEqual([name, true]);
          expect([name, /[{}]|\n{3}|undefined| {2}/.exec(text)?.[0]]).toEqual([name, undefined]);
          expect([name, unproven.filter((value) => text.includes(value))]).toEqual([name, []]);
        }
      }
    },
  );
});
