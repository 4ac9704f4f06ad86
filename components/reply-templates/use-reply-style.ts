import { type ComputedRef, computed, type ShallowRef } from 'vue';
import { useI18n } from '#components/i18n';

import { createFormats } from '#components/formats';
import {
  languageOf,
  type LoadedCatalogue,
  useReplyCatalogue,
  useReplyCatalogues,
} from '#components/reply-templates/reply-catalogues';
import { replyLanguageOf, type ReplyLanguages, type ReplyStyle } from '#core/replies/index';
import type { ReplySituation, ReplyTemplate } from '#core/reply-templates/index';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { usePreferences } from '#stores/settings/preferences';

/**
 * Returns the language that a reply is written in.
 * @param about the language chosen for its ticket and the one remembered for its customer; absent for a reply without a
 * ticket
 */
export function useReplyLanguage(
  about: () => Pick<ReplyLanguages, 'ticket' | 'customer'> = () => ({}),
): ComputedRef<string> {
  const { locale } = useI18n();
  const catalogues = useReplyCatalogues();
  const reply = useReplyTemplateSettings();
  return computed(() =>
    replyLanguageOf(
      { ...about(), setting: reply.settings.language, page: locale },
      Object.keys(catalogues),
    ),
  );
}

/** Returns how replies are written in a loaded language, according to the agent's settings. */
export function useReplyStyle(
  loaded: Readonly<ShallowRef<LoadedCatalogue | undefined>>,
): ComputedRef<ReplyStyle | undefined> {
  const { locale } = useI18n();
  const reply = useReplyTemplateSettings();
  // The verifier's site keeps no preferences.
  const preferences = reply.remembers ? usePreferences() : undefined;
  return computed(() => {
    if (loaded.value === undefined) return undefined;
    const { language, catalogue } = loaded.value;
    // An agent in Britain writes dates as in Britain.
    const regional = languageOf(locale) === languageOf(language) ? locale : language;
    return {
      catalogue,
      frame: reply.settings.frames?.[language] ?? catalogue,
      format: reply.settings.format,
      agent: preferences?.current.agent ?? '',
      locale: regional,
      relative: createFormats(regional, 'UTC').relative,
    };
  });
}

/**
 * Returns the templates of a situation in a loaded language: the agent's own, or else the built-in ones.
 * @param isEditing whether empty templates are returned beside others
 */
export function useReplyTemplates(
  loaded: Readonly<ShallowRef<LoadedCatalogue | undefined>>,
  isEditing = false,
): (situation: ReplySituation) => readonly ReplyTemplate[] {
  const reply = useReplyTemplateSettings();
  const builtInTemplates = useBuiltInTemplates();
  return (situation) => {
    if (loaded.value === undefined) return [];
    const { language } = loaded.value;
    const own = (reply.settings.templates ?? []).filter(
      (template) => template.situation === situation && template.language === language,
    );
    const written = own.filter(({ text }) => text.trim() !== '');
    if (own.length > 0) return isEditing || written.length === 0 ? own : written;
    return builtInTemplates(loaded.value, situation);
  };
}

/**
 * Returns a function that lists the built-in templates of a situation in a loaded language. They are named in the
 * language of the page, because the agent chooses by name.
 */
export function useBuiltInTemplates(): (
  loaded: LoadedCatalogue,
  situation: ReplySituation,
) => readonly ReplyTemplate[] {
  const { locale } = useI18n();
  const tags = Object.keys(useReplyCatalogues());
  const named = useReplyCatalogue(() => replyLanguageOf({ page: locale }, tags));
  return ({ language, catalogue }, situation) =>
    catalogue.templates
      .filter((template) => template.situation === situation)
      .map((template) => {
        const { name } =
          named.value?.catalogue.templates.find(({ id }) => id === template.id) ?? template;
        return { ...template, language, name };
      });
}

/** Returns a language's name in that language: Deutsch */
export function languageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}
