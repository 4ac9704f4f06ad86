import { type Component, defineAsyncComponent } from 'vue';

import { type Messages, useI18n, withMessages } from '#components/i18n';

/** Returns what loads a view with the texts it needs, once the page stands: neither is needed to type and to ask. */
export function useLaterView(): <View extends Component>(
  load: () => Promise<{ default: View }>,
  texts?: () => Promise<Messages>,
) => View {
  const catalogue = useI18n();
  return <View extends Component>(
    load: () => Promise<{ default: View }>,
    texts: () => Promise<Messages> = () => import('#locales/en/answer.json'),
  ) => defineAsyncComponent<View>(() => withMessages(load(), texts(), catalogue));
}
