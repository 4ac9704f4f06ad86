import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';

import { connectionBounds, defaultDialect, maxApiKeyLength } from '#core/connections/index';
import { administrationRules } from '#messaging/administration-rules';
import { checkingRules, type TopicName } from '#messaging/protocol';
import { maxSettingsLength } from '#core/settings/index';
import { maxTicketLengths } from '#core/ticket/index';
import { type Result, fail, succeed } from '#core/result';
import { type Asker, type Handlers, type MessageEvent, type Sender, serve } from '#messaging/serve';
import type { Rules } from '#messaging/topic';

const rules = { ...checkingRules, ...administrationRules };
type Serving = Parameters<typeof serve>[2];

/** Sends a message to a worker, and returns what its handler got or why it got nothing. */
function admit(message: unknown, sender: Sender, self: Serving['self']): Result<unknown, string> {
  const came: Result<unknown, string>[] = [];
  const handlers: Partial<Handlers> = new Proxy(
    {},
    {
      get: (_, topic: TopicName) => (body: unknown, nonce: string, asker: Asker) => {
        came.push(succeed({ topic, body, nonce, asker }));
        return Promise.resolve();
      },
    },
  );
  const topics = { rules, handlers };
  const addListener: MessageEvent['addListener'] = (listener) => {
    listener(message, sender, () => undefined);
  };
  serve({ addListener }, topics, {
    self,
    loadOthers: () => topics,
    log: (fault) => {
      came.push(fail(fault));
    },
    otherBuild: () => undefined,
  });
  return came[0] ?? fail('foreign');
}

const self = { id: 'abcdefghijklmnop', origin: 'chrome-extension://abcdefghijklmnop', build: 'b1' };
const nonce = '3f0c3c1e-6e0a-4a5b-9a58-0a9f4a6f3c11';
const from = (path: string): Sender => ({
  id: self.id,
  origin: self.origin,
  url: self.origin + path,
  frameId: 0,
});
const options = from('/options.html');
const popup = from('/popup.html');
const ask = (topic: string, body: unknown = {}): unknown => ({ topic, nonce, body });
const draft = {
  name: 'Demo',
  baseAddress: 'https://api.example.com/demo',
  apiKey: 'k-123',
  dialect: defaultDialect,
};

const inTicket: Sender = {
  id: self.id,
  origin: 'https://desk.example.com',
  url: 'https://desk.example.com/tickets/1',
  frameId: 0,
  tab: { id: 7, windowId: 3 },
};

describe('our script in a web page', () => {
  const own = ['ticket.start', 'ticket.finder', 'ticket.open', 'ticket.check'] as const;

  it('is known by its live origin, its tab, its frame and its document', () => {
    expect(admit(ask('ticket.start'), { ...inTicket, frameId: 4, documentId: 'D' }, self)).toEqual(
      succeed({
        topic: 'ticket.start',
        body: {},
        nonce,
        asker: {
          name: 'ticket-script',
          origin: 'https://desk.example.com',
          tabId: 7,
          windowId: 3,
          frameId: 4,
          documentId: 'D',
        },
      }),
    );
  });

  it('may ask its own topics, and no page of ours may', () => {
    for (const topic of own) {
      expect(rules[topic].from).toEqual(['ticket-script']);
      const body = topic === 'ticket.start' || topic === 'ticket.finder' ? {} : { code: 'abc' };
      expect(admit(ask(topic, body), inTicket, self).ok).toBe(true);
      expect(admit(ask(topic, body), popup, self)).toEqual(fail('not-yours'));
    }
  });

  it('may ask nothing else, whatever it sends', () => {
    const others = (Object.keys(rules) as TopicName[]).filter(
      (topic) => !own.some((name) => name === topic),
    );
    for (const topic of others) {
      expect(rules[topic].from).not.toContain('ticket-script');
      expect(admit(ask(topic), inTicket, self)).toEqual(fail('not-yours'));
    }
  });

  it.each<[string, Sender]>([
    ['no tab', { ...inTicket, tab: undefined }],
    ['a tab without an id', { ...inTicket, tab: { windowId: 3 } }],
    ['no frame', { ...inTicket, frameId: undefined }],
    ['an opaque origin', { ...inTicket, origin: 'null' }],
    ['no origin', { ...inTicket, origin: undefined }],
    ['an origin with a path', { ...inTicket, origin: 'https://desk.example.com/x' }],
    ['a file', { ...inTicket, origin: 'file://' }],
    ['another extension', { ...inTicket, id: 'ponmlkjihgfedcba' }],
    ['another extension’s page', { ...inTicket, origin: 'chrome-extension://ponmlkjihgfedcba' }],
  ])('is foreign with %s', (_, sender) => {
    expect(admit(ask('ticket.start'), sender, self)).toEqual(fail('foreign'));
  });

  it.each(['http://desk.example.com', 'https://desk.example.com/', 'https://Desk.example.com', ''])(
    'is never to be allowed at %j',
    (origin) => {
      expect(admit(ask('sites.allow', { origin }), popup, self)).toEqual(fail('bad-body'));
    },
  );
});

describe('admit', () => {
  it.each([
    ['popup', '/popup.html'],
    ['popup', '/popup-light.html'],
    ['popup', '/popup-dark.html'],
    ['sidepanel', '/sidepanel.html'],
    ['options', '/options.html'],
    ['desk', '/desk.html'],
  ])('lets our page %s, built to %s, check a code', (name, path) => {
    const body = { code: 'abc', connectionId: 'c1', fresh: false };
    expect(admit(ask('check', body), from(path), self)).toEqual(
      succeed({ topic: 'check', body, nonce, asker: { name } }),
    );
  });

  it('lets a page of ours speak whatever stands behind its path', () => {
    expect(admit(ask('connections.list'), from('/popup.html?tab=1#x'), self).ok).toBe(true);
  });

  const forged: [string, Sender][] = [
    ['nobody', {}],
    ['another extension', { ...popup, id: 'ponmlkjihgfedcba' }],
    ['another extension that names our page', { ...popup, id: undefined }],
    ['a page without an origin', { ...popup, origin: undefined }],
    ['a page without an address', { ...popup, url: undefined }],
    [
      'our script in a web page',
      { ...popup, origin: 'https://help.example.com', url: 'https://help.example.com/popup.html' },
    ],
    ['our script in a web page that has our address', { ...popup, origin: 'https://evil.example' }],
    ['a page of our name at another address', { ...popup, url: 'https://evil.example/popup.html' }],
    ['a longer origin', { ...popup, url: `${self.origin}.evil/popup.html` }],
    ['a page we do not have', from('/other.html')],
    ['a deeper path', from('/x/popup.html')],
    ['a path with something behind it', from('/popup.html/x')],
    ['a path of another case', from('/Popup.html')],
    ['the root', from('/')],
    ['a page of ours in a frame', { ...popup, frameId: 3 }],
    ['a null origin', { ...popup, origin: 'null' }],
  ];
  it.each(forged)('counts %s as foreign', (_, sender) => {
    expect(admit(ask('connections.list'), sender, self)).toEqual(fail('foreign'));
  });

  it.each([
    ['no object', 'check'],
    ['null', null],
    ['an array', ['check']],
    ['no nonce', { topic: 'connections.list', body: {} }],
    ['a nonce that is no UUID', { topic: 'connections.list', nonce: 'x', body: {} }],
    ['a topic that is no text', { topic: 7, nonce, body: {} }],
    ['a member too many', { topic: 'connections.list', nonce, body: {}, also: 1 }],
  ])('refuses %s as malformed', (_, message) => {
    expect(admit(message, options, self)).toEqual(fail('malformed'));
  });

  it('tells a message of another build, whatever its form, and knows its own', () => {
    const topic = 'connections.list';
    const other = { topic, nonce, body: {}, build: 'b2' };
    for (const message of [other, { ...other, newMember: 1 }, { ...other, topic: 'new.topic' }])
      expect(admit(message, options, self)).toEqual(fail('other-build'));
    expect(admit({ ...other, build: 'b1' }, options, self).ok).toBe(true);
    const foreign = { ...options, id: 'x' };
    expect(admit(other, foreign, self)).toEqual(fail('foreign'));
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Check', '', 'secrets'])(
    'knows no topic %j',
    (topic) => {
      expect(admit(ask(topic), options, self)).toEqual(fail('unknown-topic'));
    },
  );

  it.each([
    ['connections.save', draft],
    ['connections.delete', { id: 'c1' }],
    ['connections.detect', { id: 'c1', code: 'abc' }],
    ['secrets.set-mode', { mode: 'session' }],
    ['secrets.reset', {}],
    ['settings.export', {}],
    ['settings.preview', { file: {} }],
    ['settings.import', { file: {} }],
    ['settings.erase', {}],
  ])('keeps %s from the popup', (topic, body) => {
    expect(admit(ask(topic, body), popup, self)).toEqual(fail('not-yours'));
    expect(admit(ask(topic, body), options, self).ok).toBe(true);
  });

  it('lets the verifier list connections, speak to authorities and read what team and organization set, and nothing else', () => {
    const verifier = from('/verifier.html');
    const open = Object.entries(rules as Rules)
      .filter(([, { from: askers }]) => askers.includes('verifier'))
      .map(([topic]) => topic);
    expect(open).toEqual([
      'connections.list',
      'authorities.list',
      'authority.validate',
      'policy.state',
      'team.state',
      'team.settings',
    ]);
    expect(admit(ask('connections.list'), verifier, self).ok).toBe(true);
  });

  const bodies: [TopicName, string, unknown][] = [
    ['check', 'an empty code', { code: '', connectionId: 'c1', fresh: false }],
    [
      'check',
      'a code above the bound',
      { code: 'x'.repeat(129), connectionId: 'c1', fresh: false },
    ],
    ['check', 'a code that is no text', { code: 7, connectionId: 'c1', fresh: false }],
    [
      'check',
      'a member too many',
      { code: 'x', connectionId: 'c1', fresh: false, url: 'https://x' },
    ],
    ['check', 'a missing member', { code: 'x', connectionId: 'c1' }],
    ['check', 'an id with odd characters', { code: 'x', connectionId: 'c 1', fresh: false }],
    ['check', 'no body', undefined],
    ['connections.list', 'a member', { all: true }],
    ['connections.save', 'a blank name', { ...draft, name: '  ' }],
    ['connections.save', 'a long name', { ...draft, name: 'n'.repeat(connectionBounds.name + 1) }],
    ['connections.save', 'a long key', { ...draft, apiKey: 'k'.repeat(maxApiKeyLength + 1) }],
    ['connections.save', 'an empty key', { ...draft, apiKey: '' }],
    ['connections.save', 'a revision', { ...draft, revision: 9 }],
    [
      'connections.save',
      'a placement we do not know',
      { ...draft, dialect: { ...defaultDialect, keyPlacement: 'cookie' } },
    ],
    [
      'connections.save',
      'no requests at all',
      { ...draft, dialect: { ...defaultDialect, requestsPerMinute: 0 } },
    ],
    [
      'connections.save',
      'half a request',
      { ...draft, dialect: { ...defaultDialect, requestsPerMinute: 1.5 } },
    ],
    [
      'connections.reorder',
      'more ids than there may be',
      { ids: Array.from({ length: connectionBounds.connections + 1 }, String) },
    ],
    ['secrets.set-mode', 'a mode we do not know', { mode: 'plain' }],
    ['secrets.set-mode', 'an endless timer', { mode: 'device', lockAfterMinutes: 1e9 }],
    ['secrets.unlock', 'an endless passphrase', { passphrase: 'p'.repeat(1025) }],
    ['settings.import', 'an endless file', { file: 'x'.repeat(maxSettingsLength) }],
  ];
  it.each(bodies)('refuses %s with %s', (topic, _, body) => {
    expect(admit(ask(topic, body), options, self)).toEqual(fail('bad-body'));
  });

  it('takes a code and a key at their bounds', () => {
    const body = { code: 'x'.repeat(128), connectionId: 'c1', fresh: true };
    expect(admit(ask('check', body), options, self).ok).toBe(true);
    const longest = { ...draft, apiKey: 'k'.repeat(maxApiKeyLength) };
    expect(admit(ask('connections.save', longest), options, self).ok).toBe(true);
  });

  it('takes a check from every ticket whose address our pages read', () => {
    const ticket = 'https://desk.example.com/'.padEnd(maxTicketLengths.address, 'q');
    const check = { code: 'x', connectionId: 'c1', fresh: true };
    expect(admit(ask('check', { ...check, ticket }), popup, self).ok).toBe(true);
    const desk = from('/desk.html');
    expect(admit(ask('history.again', { id: 1, ticket }), desk, self).ok).toBe(true);
    const longer = { ...check, ticket: `${ticket}q` };
    expect(admit(ask('check', longer), popup, self)).toEqual(fail('bad-body'));
  });

  it('takes no file that is no JSON', () => {
    const file: Record<string, unknown> = {};
    file['itself'] = file;
    expect(admit(ask('settings.import', { file }), options, self)).toEqual(fail('bad-body'));
  });

  it('throws at no message and no sender', () => {
    fc.assert(
      fc.property(fc.anything(), fc.object(), (message, sender) => {
        expect(admit(message, sender as Sender, self).ok).toBe(false);
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(rules) as TopicName[])),
        fc.anything(),
        (topic, body) => {
          admit(ask(topic, body), options, self);
        },
      ),
    );
  });
});
