import { inject, type InjectionKey, provide, type Ref, ref, watch } from 'vue';

const key: InjectionKey<Ref<string | undefined>> = Symbol('ticket language');

/**
 * Makes the language chosen for one reply apply to all replies below this component.
 * @param ticket the choice is forgotten when this value changes
 */
export function provideTicketLanguage(ticket: () => unknown): void {
  const chosen = ref<string>();
  provide(key, chosen);
  watch(ticket, () => {
    chosen.value = undefined;
  });
}

/** Returns the language chosen for this ticket, or only for this reply if no parent shares the choice. */
export function useTicketLanguage(): Ref<string | undefined> {
  return inject(key, () => ref<string>(), true);
}
