/** The elements that hold ticket text in the pages of one help desk. */
export interface HelpDeskMarkup {
  /** Hosts of the desk, subdomains included. Empty for a self-hosted desk, which `marker` identifies. */
  readonly hosts: readonly string[];
  /** A selector that matches only this desk's pages, for self-hosted desks. */
  readonly marker?: string;
  /** Selects messages. A page without messages is searched whole. */
  readonly messages: string;
  /** Selects the composer. Codes in it are ignored, as in everything editable. */
  readonly composer?: string;
  /** Selects lists of tickets, titles and menus. Codes in them are ignored even on a page without messages. */
  readonly excluded?: string;
}

/**
 * Help desks with known markup. `npm run e2e:help-desks` tests those marked as tried; the others come from public
 * descriptions. If a desk's markup is outdated, no message matches and the whole page is searched.
 */
const knownMarkup: readonly HelpDeskMarkup[] = [
  {
    // Zendesk.
    hosts: ['zendesk.com'],
    messages: '[data-test-id="omni-log-message-content"], .zd-comment, [data-comment-id]',
    composer: '[data-test-id="omnicomposer-rich-text-ckeditor"], .ck-editor',
  },
  {
    // Freshdesk.
    hosts: ['freshdesk.com'],
    messages: '.ticket-details__item, .ticket_note, .conversation-content',
    composer: '.fr-element, .fr-box',
  },
  {
    // Help Scout.
    hosts: ['helpscout.net', 'helpscout.com'],
    messages: '.c-thread__body, .thread-body, [data-cy="thread-body"]',
    composer: '.redactor-editor, [data-cy="editor"]',
  },
  {
    // Intercom.
    hosts: ['intercom.com', 'intercom.io'],
    messages: '.conversation__part, .intercom-interblocks, [data-conversation-part]',
    composer: '.composer-inbox, .embercom-prosemirror-composer',
  },
  {
    // Gmail.
    hosts: ['mail.google.com'],
    messages: '.a3s, [role="listitem"] .ii',
    composer: '.Am.editable, [g_editable="true"]',
  },
  {
    // Zammad.
    hosts: [],
    marker: '#app .ticketZoom, meta[name="application-name"][content="Zammad"]',
    messages: '.ticket-article-item .article-content, .textBubble',
    composer: '.article-add .richtext, .articleNewEdit-body',
  },
  {
    // FreeScout.
    hosts: [],
    marker: '#conv-layout, body.conv-view',
    messages: '.thread-content, .thread-body',
    composer: '.note-editor, .conv-reply-block',
  },
  {
    // Request Tracker 5.0.3, tried.
    hosts: [],
    marker: '#rt-header-container',
    messages: '.transaction .messagebody, .message-header-value, .custom-field .value',
    composer: '.messagebox-container',
    excluded:
      '#rt-header-container, #header, #main-navigation, #page-navigation, .collection-as-table, .titlebox-title',
  },
  {
    // Roundcube 1.6.5, skin Elastic, tried. A mail of the list is shown in a frame of the same origin.
    hosts: [],
    marker: 'body.task-mail',
    messages: '#messagebody, #message-objects, #message-header .subject',
    composer: '#composebodycontainer',
    excluded: '#layout-list, #layout-sidebar',
  },
  {
    // Redmine 5.0.4, tried.
    hosts: [],
    marker: 'meta[name="description"][content="Redmine"]',
    messages: '.details .subject, .details .value, .details .wiki, .journal .wiki',
    composer: '.jstBlock',
    excluded: '#header, #sidebar, .issues, #search-results',
  },
  {
    // The sandbox’s own.
    hosts: [],
    marker: 'main[data-desk]',
    messages: '[data-message]',
    composer: '[data-composer]',
  },
];

/**
 * Returns the markup for a page's host, or that of all self-hosted desks if the host is unknown. Throws if the origin
 * is not a URL.
 */
export function markupFor(origin: string): readonly HelpDeskMarkup[] {
  const { hostname } = new URL(origin);
  const isHere = ({ hosts }: HelpDeskMarkup): boolean =>
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  const here = knownMarkup.filter(isHere);
  if (here.length > 0) return here;
  return knownMarkup.filter(({ hosts }) => hosts.length === 0);
}
