import type { Ref } from 'vue';

import { codePatternsOf } from '#core/connections/index';
import { type InputPlan, type PageText, planInput } from '#core/ticket/index';
import { useConnections } from '#stores/connections/connections';
import { usePreferences } from '#stores/settings/preferences';
import { useSites } from '#stores/ticket/sites';

/** The reading of the page in front, and what to do with its text. */
export interface PagePlan {
  readonly planOf: (read: Pick<PageText, 'selection' | 'text'>) => InputPlan;
  /** Returns the codes of a text, one per line. */
  readonly codesIn: (text: string) => string;
  /** If a page's text has no code, replaces it by the text that a reply quotes, as on a page for writing the reply. */
  readonly withQuoted: (read: PageText) => PageText;
}

/** Call it in a store's setup. @param origin the origin of the page in front */
export function createPagePlan(origin: Readonly<Ref<string | undefined>>): PagePlan {
  const connections = useConnections();
  const preferences = usePreferences();
  const sites = useSites();

  const planOf: PagePlan['planOf'] = (read) =>
    planInput(read, {
      allowed: sites.findPermitted(origin.value) !== undefined,
      selectionAtOnce: preferences.current.selectionAtOnce,
      patterns: codePatternsOf(connections.list ?? []),
    });

  const codesIn: PagePlan['codesIn'] = (text) => {
    const plan = planOf({ selection: '', text });
    return plan.kind === 'fill' ? plan.text : '';
  };

  return {
    planOf,
    codesIn,
    withQuoted(read) {
      const { selection, text, quoted = '' } = read;
      // Few pages have fields with text, so the page itself is only searched after those.
      const isInQuote =
        selection === '' && quoted.trim() !== '' && codesIn(quoted) !== '' && codesIn(text) === '';
      return isInQuote ? { ...read, text: quoted } : read;
    },
  };
}
