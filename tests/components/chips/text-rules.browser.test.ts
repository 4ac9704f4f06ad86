import { afterEach, describe, expect, it } from 'vitest';

import {
  addShadowRoot,
  elementOf,
  showPage,
  textNodesIn,
  textRules,
} from '#tests/components/chips/ticket-page';
import type { TicketMarkup } from '#components/chips/text-rules';
import { markupFor } from '#core/chips/index';

/** The texts of the page that the rules take for ticket text. */
function ticketTexts(html: string, ...notes: TicketMarkup[]): string[] {
  const rules = textRules(...notes);
  return showPage(html)
    .filter((text) => rules.isTicketText(text))
    .map(({ data }) => data);
}

afterEach(() => {
  document.designMode = 'off';
  document.body.replaceChildren();
});

describe('isTicketText', () => {
  it('takes the whole page where no note fits', () => {
    expect(ticketTexts('<nav>menu</nav><p>message</p>')).toEqual(['menu', 'message']);
  });

  it('leaves out what is written in and what is no text for people', () => {
    expect(
      ticketTexts(`
        <p>message</p><textarea>draft</textarea><style>a{}</style>
        <div contenteditable>draft</div><div contenteditable="false">quoted</div>
        <div role="textbox"><b>draft</b></div>`),
    ).toEqual(['message', 'quoted']);
  });

  it('leaves out a page that is edited as a whole', () => {
    const texts = showPage('<p>message</p>');
    document.designMode = 'on';
    expect(texts.map((text) => textRules().isTicketText(text))).toEqual([false]);
  });

  const page = '<nav>menu</nav><p class="message">message</p><p class="draft message">draft</p>';

  it('takes only the messages of a note that fits, without its composer', () => {
    expect(ticketTexts(page, { messages: '.message', composer: '.draft' })).toEqual(['message']);
  });

  it('takes the first note that finds a message', () => {
    expect(ticketTexts(page, { messages: '.other' }, { messages: '.draft' })).toEqual(['draft']);
  });

  it('takes a note with a mark of its desk only where that mark is', () => {
    const note = { marker: '#desk', messages: '.message' };
    expect(ticketTexts(page, note)).toContain('menu');
    expect(ticketTexts(`<i id="desk"></i>${page}`, note)).not.toContain('menu');
  });

  it('keeps what it found of the page until it is told to look anew', () => {
    const rules = textRules({ marker: '#desk', messages: '.message' });
    const [menu] = showPage(page);
    if (menu === undefined) throw new Error('The page has no text.');
    expect(rules.isTicketText(menu)).toBe(true);
    document.body.append(Object.assign(document.createElement('i'), { id: 'desk' }));
    expect(rules.isTicketText(menu)).toBe(true);
    rules.forget();
    expect(rules.isTicketText(menu)).toBe(false);
  });

  it('leaves alone the lists and titles of a desk, on pages without a message too', () => {
    const note = { marker: '#desk', messages: '.message', excluded: 'h1, .list' };
    const list = '<h1>title</h1><p class="list">row</p><p>words</p>';
    expect(ticketTexts(`<i id="desk"></i>${list}`, note)).toEqual(['words']);
    expect(ticketTexts(list, note)).toEqual(['title', 'row', 'words']);
    const ticket = '<h1 class="message">title</h1><p class="message">message</p>';
    expect(ticketTexts(`<i id="desk"></i>${ticket}`, note)).toEqual(['message']);
  });

  it('has notes with selectors that this browser knows', () => {
    const hosts = [
      'zendesk.com',
      'freshdesk.com',
      'helpscout.net',
      'intercom.com',
      'mail.google.com',
    ];
    const notes = [...hosts, 'other.test'].flatMap((host) => markupFor(`https://${host}`));
    expect(notes.length).toBeGreaterThan(hosts.length);
    for (const { marker = '*', messages, composer = '*', excluded = '*' } of notes)
      for (const selector of [marker, messages, composer, excluded])
        expect(() => document.querySelector(selector)).not.toThrow();
  });

  it('judges text in a shadow tree by its hosts too', () => {
    showPage('<p class="message"></p><p role="textbox"></p><p class="other"></p>');
    const rules = textRules({ messages: '.message' });
    const isTicketText = (selector: string): boolean[] =>
      textNodesIn(addShadowRoot(elementOf(selector), '<b>text</b>')).map(rules.isTicketText);
    expect(isTicketText('.message')).toEqual([true]);
    expect(isTicketText('[role]')).toEqual([false]);
    expect(isTicketText('.other')).toEqual([false]);
  });
});
