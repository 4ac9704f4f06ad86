import { type Ref, ref, watch } from 'vue';

/** How long typing must pause before the text is judged, in milliseconds. */
const typingPauseMs = 150;

interface TextFieldNeeds {
  /** Returns the text that is judged on the page; undefined if there is none. */
  readonly judgedText: () => string | undefined;
  readonly judge: (text: string) => void;
  readonly edited: () => void;
  /** Called when the agent removes a judged text. */
  readonly emptied: () => void;
}

/** The text of the field for licenses. Typed text is judged after a pause. */
export interface TextField {
  readonly text: Ref<string>;
  /** Replaces the text, and judges none that was being typed. */
  readonly set: (text: string) => void;
  /** Judges the text without waiting for a pause. */
  readonly judgeNow: () => void;
}

/** Creates the field, empty at first. Call it in a store's setup. */
export function createTextField({ judgedText, judge, edited, emptied }: TextFieldNeeds): TextField {
  const text = ref('');
  let typing: ReturnType<typeof setTimeout> | undefined;

  function judgeNow(): void {
    if (text.value.trim() !== '') judge(text.value);
  }

  watch(text, (typed) => {
    clearTimeout(typing);
    const judged = judgedText();
    if (judged === typed) return;
    edited();
    if (typed.trim() !== '') typing = setTimeout(judgeNow, typingPauseMs);
    else if (judged !== undefined) emptied();
  });

  return {
    text,
    set(given) {
      clearTimeout(typing);
      text.value = given;
    },
    judgeNow,
  };
}
