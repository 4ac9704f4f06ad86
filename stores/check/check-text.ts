import { type ComputedRef, type Ref, computed, ref, shallowRef } from 'vue';

import { codePatternsOf } from '#core/connections/index';
import type { ClassifiedInput, OddHint } from '#core/codes/classify-input';
import { omitUndefined } from '#core/result';
import { useConnections } from '#stores/connections/connections';

/** Why the field's text cannot be checked. */
export type InputRefusal = 'nothing' | 'license' | 'too-long';

export interface CheckText {
  readonly draft: Ref<string>;
  /** How many codes the pasted text was folded to; 0 if it was not folded. */
  readonly found: ComputedRef<number>;
  readonly refusal: Ref<InputRefusal | undefined>;
  /** Why the one code in the text is not in a common form. */
  readonly odd: Ref<OddHint | undefined>;
  /** Settles when codes can be found in a text; until then text is only stored. */
  ready(): Promise<void>;
  /** Replaces the text. A pasted ticket is folded to its codes, one per line; without a code it is refused. */
  setDraft(text: string, pasted: boolean): void;
  /** Replaces a code by another spelling. The text becomes its codes, one per line. Call it when `ready`. */
  replace(code: string, spelling: string): void;
  /** Returns the codes to check, and sets `refusal` or `odd` (neither if the text is empty). Call it when `ready`. */
  readCodes(): readonly string[];
  /** Tells whether the text is one code in a known form. Call it when `ready`. */
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

  // Loaded in parallel with the page, since the field accepts text without it.
  const module = import('#core/codes/classify-input');
  let classifyInput: Awaited<typeof module>['classifyInput'] | undefined;

  async function ready(): Promise<void> {
    classifyInput = (await module).classifyInput;
    if (connections.list === undefined) await connections.load();
  }

  /** Returns undefined until `ready`: a seller's own codes are read by the forms that its connection names. */
  function classify(text: string): ClassifiedInput | undefined {
    return (
      connections.list && classifyInput?.(text, { patterns: codePatternsOf(connections.list) })
    );
  }

  function setDraft(text: string, pasted: boolean): void {
    draft.value = text;
    if (!pasted) return;
    const input = classify(text);
    if (!input) {
      void ready().then(() => {
        if (draft.value === text) setDraft(text, pasted);
      });
    } else if (input.kind === 'codes') foldToCodes(input.codes.map(({ code }) => code));
    else if (input.kind === 'odd') foldToCodes([input.code], input.hint, input.isInText);
    else if (input.kind !== 'empty') refusal.value = input.kind;
  }

  function foldToCodes(codes: readonly string[], hint?: OddHint, isInText?: true): void {
    draft.value = codes.join('\n');
    folded.value = omitUndefined({ text: draft.value, codes, hint, isInText });
  }

  function replace(code: string, spelling: string): void {
    foldToCodes(readCodes().map((each) => (each === code ? spelling : each)));
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
    if (input && input.kind !== 'empty') refusal.value = input.kind;
    return [];
  }

  function isOneCode(): boolean {
    const input = classify(draft.value);
    // A word without a digit may be anything, and an almost correct code in a ticket waits for the agent.
    if (input?.kind === 'odd') return folded.value?.isInText !== true && /\d/.test(input.code);
    return input?.kind === 'codes' && input.codes.length === 1;
  }

  function clearHints(): void {
    refusal.value = undefined;
    odd.value = undefined;
  }

  return { draft, found, refusal, odd, ready, setDraft, replace, readCodes, isOneCode, clearHints };
}
