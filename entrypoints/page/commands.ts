import { browser } from 'wxt/browser';

import { createExtensionTabs } from '#adapters/browser/extension-tabs';
import {
  createPageHistory,
  createPageItems,
  createPageJobs,
  createTables,
  openHandoffs,
  openReplyTemplates,
} from '#adapters/storage/index';
import { groupName } from '#components/check/verdict/group-name';
import { addressOf, deskSections } from '#components/desk/route';
import { createFormats } from '#components/formats';
import { createCatalogue, type Catalogue, isEnglish } from '#components/i18n';
import { settingSections } from '#components/settings/sections';
import type { Command } from '#core/commands/commands';
import { checksOf, historyTable } from '#core/history/index';
import {
  licenseSituations,
  purchaseSituations,
  readReplySettings,
} from '#core/reply-templates/index';
import { purchaseIn } from '#core/check/index';
import { succeed } from '#core/result';
import { visibleText } from '#core/text/index';
import { createOpenVerifier } from '#entrypoints/page/open-verifier';
import answers from '#locales/en/answer.json';
import desk from '#locales/en/desk.json';
import options from '#locales/en/options.json';
import team from '#locales/en/team.json';
import ticket from '#locales/en/ticket.json';
import type { Ask } from '#messaging/index';
import type { Commands } from '#stores/commands/ports';
import { codePatternsOf } from '#core/connections/index';

/** Entries of the history that are read: its newest codes are what one goes back to, and the desk searches all. */
const maxEntries = 2000;

/** Opens the list of places in the language of the page. */
export async function openCommands(ask: Ask, locale: string): Promise<Commands> {
  const translated = isEnglish(locale)
    ? undefined
    : await import('#entrypoints/page/translations').then(({ translate }) =>
        translate(['desk', 'options', 'team']),
      );
  const { t } = createCatalogue(
    locale,
    { ...answers, ...desk, ...options, ...team, ...ticket },
    translated?.messages,
  );
  const tables = createTables();
  const history = createPageHistory(tables);
  const tabs = createExtensionTabs(browser.tabs, browser.runtime.getURL('/').replace(/\/$/u, ''));
  const connections = ask('connections.list', {});

  async function items(): Promise<Command[]> {
    const cache = createPageItems(tables);
    const lists = (await connections).map(async ({ id, name }) =>
      (await cache.read(id)).items.map(({ item }): Command => ({
        kind: 'item',
        title: visibleText(item.name),
        detail: `${String(item.id)} · ${visibleText(name)}`,
        href: `desk.html${addressOf({ section: 'items', connectionId: id, itemId: item.id })}`,
      })),
    );
    return (await Promise.all(lists)).flat();
  }

  async function jobs(): Promise<Command[]> {
    const { shortDateTime } = createFormats(locale);
    return (await createPageJobs(tables).jobs()).map(({ id, name, createdAt }) => ({
      kind: 'job',
      title: name === '' ? t('desk.bulk.pasted') : visibleText(name),
      detail: shortDateTime(createdAt),
      href: `desk.html${addressOf({ section: 'bulk', jobId: id })}`,
    }));
  }

  async function codes(): Promise<Command[]> {
    const checks = checksOf(await history.latest(maxEntries));
    return historyTable(checks, { dayOf: () => 0 }).codes.map((code) => {
      const { name = '' } = purchaseIn(succeed(code.answer))?.item ?? {};
      return {
        kind: 'code',
        title: code.code,
        detail: [groupName(t, code.group), visibleText(name)]
          .filter((part) => part !== '')
          .join(' · '),
        href: `desk.html${addressOf({ section: 'history', codeId: code.codeId })}`,
        codeId: code.codeId,
        isOfJob: code.by === 'bulk',
      };
    });
  }

  async function replies(): Promise<Command[]> {
    const { templates = [] } = readReplySettings(await (await openReplyTemplates()).read());
    const to = (template: string): string =>
      `desk.html${addressOf({ section: 'reply', template })}`;
    return [
      ...[...purchaseSituations, ...licenseSituations].map((situation): Command => ({
        kind: 'reply',
        title: t(`desk.reply.situation.${situation}`),
        detail: '',
        href: to(situation),
      })),
      ...templates.map(({ id, name, situation }): Command => ({
        kind: 'reply',
        title: visibleText(name),
        detail: t(`desk.reply.situation.${situation}`),
        href: to(id),
      })),
    ];
  }

  return {
    t,
    async list() {
      const places = await Promise.all([replies(), items(), jobs(), codes()]);
      return [...pagesIn(t), ...settingsIn(t), ...places.flat()];
    },
    patterns: async () => codePatternsOf(await connections),
    codeIdOf: (code) => history.codeIdOf(code),
    async openPage(href) {
      const isTab = (await browser.tabs.getCurrent()) !== undefined;
      if (!isTab) {
        await tabs.open(`/${href}`, 'new');
        return;
      }
      const before = location.href;
      location.href = href;
      // The page may show something else by now though its address is that one: it goes there anew.
      if (location.href === before && location.hash !== '')
        dispatchEvent(new HashChangeEvent('hashchange'));
    },
    async check(text) {
      const tabId = await tabs.open('/sidepanel.html', 'new');
      const target = { tabId: tabId ?? -1 };
      await openHandoffs(browser.storage.session).texts.put({ text, at: Date.now(), target });
    },
    inspect: (what) =>
      typeof what === 'string'
        ? createOpenVerifier().license(what)
        : createOpenVerifier().files(what),
  };
}

function pagesIn(t: Catalogue['t']): Command[] {
  return [
    { kind: 'page', title: t('app.check'), detail: '', href: 'sidepanel.html' },
    ...deskSections.map((section): Command => ({
      kind: 'page',
      title: t(`desk.${section}.title`),
      detail: t('app.deskName'),
      href: `desk.html${addressOf({ section })}`,
    })),
    { kind: 'page', title: t('app.verifier'), detail: '', href: 'verifier.html' },
    { kind: 'page', title: t('app.settings'), detail: '', href: 'options.html' },
  ];
}

function settingsIn(t: Catalogue['t']): Command[] {
  return settingSections.map(({ id, title }) => ({
    kind: 'setting',
    title: t(title),
    detail: '',
    href: `options.html#${id}`,
  }));
}
