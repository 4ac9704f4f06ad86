import { computed, reactive, ref } from 'vue';
import { useI18n } from '#components/i18n';

import {
  type LoadedCatalogue,
  useReplyCatalogue,
} from '#components/reply-templates/reply-catalogues';
import { useTicketLanguage } from '#components/reply-templates/ticket-language';
import {
  useReplyLanguage,
  useReplyStyle,
  useReplyTemplates,
} from '#components/reply-templates/use-reply-style';
import {
  composeReplies,
  customerDomain,
  forgetLanguage,
  rememberedLanguage,
  rememberLanguage,
  type ReplyFacts,
  type ReplyObstacle,
} from '#core/replies/index';
import type { ReplyTemplate } from '#core/reply-templates/index';
import type { Result } from '#core/result';
import replyMessages from '#locales/en/reply.json';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';

/** A reply to the customer, with what the agent may choose about it. */
export interface ComposedReply {
  /** Empty if there is nothing to say, or while the language loads. */
  readonly text: string;
  /** Why there is nothing to copy, as a sentence. */
  readonly obstacle: string | undefined;
  /** The templates of the situation. */
  readonly fitting: readonly ReplyTemplate[];
  /** True if the agent has a choice among them. */
  readonly choosable: boolean;
  readonly template: ReplyTemplate | undefined;
  chooseTemplate(id: string): void;
  readonly language: string;
  chooseLanguage(tag: string): void;
  readonly loaded: LoadedCatalogue | undefined;
  /** The customer's domain, if known and a language can be remembered for it. */
  readonly customer: string | undefined;
  /** True if this language is remembered for the customer. */
  readonly isRemembered: boolean;
  /** Remembers the language of this reply for its customer, or forgets it. */
  remember(on: boolean): void;
}

/**
 * Composes a reply in the agent's words and in the customer's language.
 * @param about.more further situations that the same reply covers, each with its first template
 */
export function useComposedReply(
  about: () => { facts: Result<ReplyFacts, ReplyObstacle>; more: readonly ReplyFacts[] },
): ComposedReply {
  const i18n = useI18n();
  // The texts around a reply load with the first view that shows one.
  if (!i18n.has('reply.copy')) i18n.addEnglish(replyMessages);
  const { t } = i18n;
  const settings = useReplyTemplateSettings();
  const facts = computed(() => {
    const found = about().facts;
    return found.ok ? found.value : undefined;
  });

  const ticketLanguage = useTicketLanguage();
  const customer = computed(() =>
    facts.value && settings.remembers ? customerDomain(facts.value) : undefined,
  );
  const remembered = computed(() =>
    rememberedLanguage(settings.settings.customers ?? [], customer.value),
  );
  const language = useReplyLanguage(() => ({
    ticket: ticketLanguage.value,
    customer: remembered.value,
  }));
  const loaded = useReplyCatalogue(() => language.value);
  const style = useReplyStyle(loaded);
  const templatesOf = useReplyTemplates(loaded);

  const chosen = ref('');
  const fitting = computed(() => (facts.value ? templatesOf(facts.value.situation) : []));
  const template = computed(
    () => fitting.value.find((each) => each.id === chosen.value) ?? fitting.value[0],
  );
  const text = computed(() => {
    if (!facts.value || template.value === undefined || style.value === undefined) return '';
    const others = about().more.flatMap((each) => {
      const [first] = templatesOf(each.situation);
      return first === undefined ? [] : [{ facts: each, template: first }];
    });
    const first = { facts: facts.value, template: template.value };
    return composeReplies([first, ...others], style.value);
  });

  function remember(on: boolean): void {
    const domain = customer.value;
    if (domain === undefined) return;
    const tag = language.value;
    // Remembering a language does not change the reply on screen.
    ticketLanguage.value = tag;
    void settings.change(({ customers: before = [], ...others }) => ({
      ...others,
      customers: on
        ? rememberLanguage(before, { domain, language: tag })
        : forgetLanguage(before, domain),
    }));
  }

  const obstacle = computed(() => {
    const found = about().facts;
    if (!found.ok) return t(`reply.nothing.${found.fault}`);
    return template.value !== undefined && text.value === '' ? t('reply.nothing.empty') : undefined;
  });

  return reactive({
    text,
    obstacle,
    fitting,
    choosable: computed(() => about().more.length === 0 && fitting.value.length > 1),
    template,
    chooseTemplate: (id: string) => (chosen.value = id),
    language,
    chooseLanguage: (tag: string) => (ticketLanguage.value = tag),
    loaded,
    customer,
    isRemembered: computed(() => remembered.value === language.value),
    remember,
  });
}
