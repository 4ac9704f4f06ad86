import { type Component, defineAsyncComponent } from 'vue';

import { type Messages, useI18n, withMessages } from '#components/i18n';

/**
 * Returns a function that loads a view and its texts after the page is shown, since typing and checking need neither.
 */
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
