import { inject, type InjectionKey, provide, type Ref, ref, watch } from 'vue';

const key: InjectionKey<Ref<string | undefined>> = Symbol('ticket language');

/**
 * Makes the language chosen for one reply count for all replies below.
 * @param ticket another value is another ticket, and the choice is forgotten
 */
export function provideTicketLanguage(ticket: () => unknown): void {
  const chosen = ref<string>();
  provide(key, chosen);
  watch(ticket, () => {
    chosen.value = undefined;
  });
}

/** Returns the language chosen for this ticket; of the one reply alone where nobody shares it. */
export function useTicketLanguage(): Ref<string | undefined> {
  return inject(key, () => ref<string>(), true);
}
