import { type ComputedRef, type Ref, computed, ref, shallowRef } from 'vue';

import { codePatternsOf } from '#core/connections/index';
import type { ClassifiedInput, OddHint } from '#core/codes/classify-input';
import { omitUndefined } from '#core/result';
import { useConnections } from '#stores/connections/connections';

/** Why nothing can be checked in the field's text. */
export type InputRefusal = 'nothing' | 'license' | 'too-long';

export interface CheckText {
  readonly draft: Ref<string>;
  /** How many codes the pasted text was folded to; 0 when it was not. */
  readonly found: ComputedRef<number>;
  readonly refusal: Ref<InputRefusal | undefined>;
  /** Why the one code in the text is not in a common form. */
  readonly odd: Ref<OddHint | undefined>;
  /** Settles once codes can be found in a text; until then a text is only taken. */
  readonly ready: Promise<void>;
  /** Replaces the text. A pasted ticket folds to the codes in it, one on each line. */
  set(text: string, pasted: boolean): void;
  /**
   * Puts another spelling in the place of a code. The text becomes its codes, one on each line. Call it when `ready`.
   */
  replace(code: string, spelling: string): void;
  /** Returns the codes to check, and sets `refusal` or `odd`; an empty text sets neither. Call it when `ready`. */
  readCodes(): readonly string[];
  /** Tells whether the text holds one code, in a form that codes have. Call it when `ready`. */
  isOneCode(): boolean;
  clearHints(): void;
}

/** Creates the text of the code field, empty at first. Call it in a store's setup. */
export function createCheckText(): CheckText {
  const connections = useConnections();
  const draft = ref('');
  const refusal = ref<InputRefusal>();
  const odd = ref<OddHint>();
  const folded = shallowRef<{
    readonly text: string;
    readonly codes: readonly string[];
    /** The hint about a single odd code. */
    readonly hint?: OddHint;
    readonly isInText?: true;
  }>();

  const found = computed(() =>
    folded.value?.text === draft.value ? folded.value.codes.length : 0,
  );

  // Loaded beside the page: the field takes text without it.
  const module = import('#core/codes/classify-input');
  let classifyInput: Awaited<typeof module>['classifyInput'] | undefined;
  const ready = module.then((loaded) => {
    classifyInput = loaded.classifyInput;
  });

  /** Returns undefined until `ready`. */
  function classify(text: string): ClassifiedInput | undefined {
    const patterns = codePatternsOf(connections.list ?? []);
    return classifyInput?.(text, { patterns });
  }

  function set(text: string, pasted: boolean): void {
    draft.value = text;
    if (!pasted) return;
    const input = classify(text);
    if (input === undefined) {
      void ready.then(() => {
        if (draft.value === text) set(text, pasted);
      });
    } else if (input.kind === 'codes') fold(input.codes.map(({ code }) => code));
    else if (input.kind === 'odd') fold([input.code], input.hint, input.isInText);
  }

  function fold(codes: readonly string[], hint?: OddHint, isInText?: true): void {
    draft.value = codes.join('\n');
    folded.value = omitUndefined({ text: draft.value, codes, hint, isInText });
  }

  function replace(code: string, spelling: string): void {
    fold(readCodes().map((each) => (each === code ? spelling : each)));
  }

  function readCodes(): readonly string[] {
    if (draft.value === folded.value?.text) {
      odd.value = folded.value.hint;
      return folded.value.codes;
    }
    const input = classify(draft.value);
    if (input?.kind === 'codes') return input.codes.map(({ code }) => code);
    if (input?.kind === 'odd') {
      odd.value = input.hint;
      return [input.code];
    }
    if (input !== undefined && input.kind !== 'empty') refusal.value = input.kind;
    return [];
  }

  function isOneCode(): boolean {
    const input = classify(draft.value);
    // A word without a digit may be anything, and what is nearly a code in a ticket waits for the agent.
    if (input?.kind === 'odd') return folded.value?.isInText !== true && /\d/.test(input.code);
    return input?.kind === 'codes' && input.codes.length === 1;
  }

  function clearHints(): void {
    refusal.value = undefined;
    odd.value = undefined;
  }

  return { draft, found, refusal, odd, ready, set, replace, readCodes, isOneCode, clearHints };
}
