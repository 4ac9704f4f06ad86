import { onScopeDispose, type Ref, ref } from 'vue';

import { copyPort, usePort } from '#stores/ports';

/** How long the result of a copy is shown, in milliseconds: a tick briefly, a sentence long enough to be read. */
const shownFor = { copied: 2000, notCopied: 4000 };

export interface CopyFeedback {
  /** The result of the last copy; undefined before it, and again some seconds after it. */
  readonly outcome: Readonly<Ref<'copied' | 'notCopied' | undefined>>;
  readonly copy: (text: string) => Promise<void>;
}

/** Copies text to the clipboard and shows the result for some seconds. */
export function useCopyFeedback(): CopyFeedback {
  const copyText = usePort(copyPort);
  const outcome = ref<'copied' | 'notCopied'>();
  let clearing: ReturnType<typeof setTimeout> | undefined;

  function clear(): void {
    clearTimeout(clearing);
    outcome.value = undefined;
  }

  async function copy(text: string): Promise<void> {
    // The text is emptied first, because a live region announces the same words again only after a change.
    clear();
    outcome.value = (await copyText(text)) ? 'copied' : 'notCopied';
    clearing = setTimeout(clear, shownFor[outcome.value]);
  }
  onScopeDispose(clear);

  return { outcome, copy };
}
