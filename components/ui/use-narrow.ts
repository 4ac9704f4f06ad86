import { onScopeDispose, type Ref, ref } from 'vue';

/** Tells whether the window is as narrow as a phone's. Call it in a component's setup. */
export function useNarrow(): Ref<boolean> {
  const query = matchMedia('(width < 528px)');
  const isNarrow = ref(query.matches);
  query.onchange = () => (isNarrow.value = query.matches);
  onScopeDispose(() => (query.onchange = null));
  return isNarrow;
}
