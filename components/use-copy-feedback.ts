import { onScopeDispose, type Ref, ref } from 'vue';

import { copyPort, usePort } from '#stores/ports';

/** How long the outcome of a copy is shown, in milliseconds: a tick for a moment, a sentence until it is read. */
const shownFor = { copied: 2000, notCopied: 4000 };

export interface CopyFeedback {
  /** How the last copy went; undefined before it and some seconds after it. */
  readonly outcome: Readonly<Ref<'copied' | 'notCopied' | undefined>>;
  readonly copy: (text: string) => Promise<void>;
}

/** Copies text to the clipboard and tells for some seconds how it went. */
export function useCopyFeedback(): CopyFeedback {
  const copyText = usePort(copyPort);
  const outcome = ref<'copied' | 'notCopied'>();
  let clearing: ReturnType<typeof setTimeout> | undefined;

  function clear(): void {
    clearTimeout(clearing);
    outcome.value = undefined;
  }

  async function copy(text: string): Promise<void> {
    // Emptied first: a live region announces the same words a second time only after a change.
    clear();
    outcome.value = (await copyText(text)) ? 'copied' : 'notCopied';
    clearing = setTimeout(clear, shownFor[outcome.value]);
  }
  onScopeDispose(clear);

  return { outcome, copy };
}
