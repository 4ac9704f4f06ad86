import { memberOf } from '#components/chips/flat-tree';
import { type TextRun, textRunAround, textOf } from '#components/chips/text-run';
import type { TextRules } from '#components/chips/text-rules';
import type { CodeTest } from '#core/chips/index';

interface ScanOptions {
  readonly rules: TextRules;
  readonly mayHoldCode: CodeTest;
  /**
   * Called with every text run that may contain a part of a code. Returns `false` if there is no room for more codes.
   */
  readonly read: (run: TextRun) => boolean;
  /** Called after every change of the page, before it is scanned. */
  readonly changed: () => void;
}

export interface Scan {
  add(root: Node): void;
  end(): void;
}

/** Milliseconds of one slice of work; far below what a frame takes. */
const maxSliceMs = 5;
/** Milliseconds of a slice on a page that is never idle. */
const minSliceMs = 2;
/** Pauses between two rounds for this many times as long as the last one worked, which keeps it below 1 % of a core. */
const minPauseMs = 200;
const pauseRatio = 120;
/** The longest wait for a chip, in milliseconds. */
const maxPauseMs = 10_000;
/** The most changed nodes in the queue; if there are more, the whole page is scanned. */
const maxQueued = 300;
/** Nodes between two reads of the clock. */
const nodesPerYield = 64;

/**
 * Scans the text of the document and its open shadow roots, and then every change, in slices of a few milliseconds
 * while the page is idle.
 */
export function startScan({ rules, mayHoldCode, read, changed }: ScanOptions): Scan {
  const queued = new Set<Node>();
  const seenShadows = new WeakSet<ShadowRoot>();
  /** The present round, and after it one for later changes, which runs first. */
  const rounds: Generator<undefined>[] = [];
  let workedMs = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let idle: number | undefined;
  let ended = false;

  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') queued.add(target);
      else for (const node of addedNodes) queued.add(node);
      if (queued.size > maxQueued) break;
    }
    if (queued.size > maxQueued) {
      queued.clear();
      queued.add(document);
      rounds.length = 0;
    }
    changed();
    schedule();
  });
  const observe = (root: Node): void => {
    observer.observe(root, { childList: true, characterData: true, subtree: true });
  };

  function schedule(): void {
    if (ended || idle !== undefined || pause !== undefined) return;
    if (rounds.length + queued.size === 0) return;
    idle = requestIdleCallback(runSlice, { timeout: 500 });
  }

  function runSlice(deadline: IdleDeadline): void {
    idle = undefined;
    const started = performance.now();
    const until = started + Math.min(maxSliceMs, Math.max(minSliceMs, deadline.timeRemaining()));
    if (queued.size > 0 && rounds.length < 2) rounds.push(round());
    while (rounds.length > 0 && performance.now() < until)
      if (rounds.at(-1)?.next().done === true) rounds.pop();
    workedMs += performance.now() - started;
    if (rounds.length === 0) {
      const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, workedMs * pauseRatio));
      pause = setTimeout(endPause, pauseMs);
      workedMs = 0;
    } else schedule();
  }

  function endPause(): void {
    pause = undefined;
    schedule();
  }

  /** Yields every few dozen nodes, and after each node that was read. */
  function* round(): Generator<undefined> {
    const roots = [...queued];
    queued.clear();
    rules.forget();
    for (const root of roots) {
      if (!root.isConnected) continue;
      yield* scanTexts(root);
      yield* scanShadowRoots(root);
    }
  }

  function* scanTexts(root: Node): Generator<undefined> {
    if (root instanceof Text) {
      yield* readText(root, undefined);
      return;
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let count = 1; ; count += 1) {
      const text = walker.nextNode() as Text | null;
      if (text === null) return;
      if (mayHoldCode(textOf(text))) yield* readText(text, walker);
      else if (count % nodesPerYield === 0) {
        yield;
        // The walk cannot continue from a removed node; the observer has queued its replacement.
        if (!walker.currentNode.isConnected) return;
      }
    }
  }

  function* readText(text: Text, walker: TreeWalker | undefined): Generator<undefined> {
    if (!mayHoldCode(textOf(text)) || !rules.isTicketText(text)) {
      yield;
      return;
    }
    const run = textRunAround(text, mayHoldCode);
    const isRoom = read(run);
    // The run may extend beyond the part of the page that is being scanned.
    if (walker !== undefined && Node.prototype.contains.call(walker.root, run.lastCandidate))
      walker.currentNode = run.lastCandidate;
    if (!isRoom) queued.clear();
    yield;
  }

  function* scanShadowRoots(root: Node): Generator<undefined> {
    if (root instanceof Text) return;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    let element = root instanceof Element ? root : walker.nextNode();
    for (let count = 1; element !== null; element = walker.nextNode(), count += 1) {
      const shadowRoot = memberOf(element as Element, 'shadowRoot');
      if (shadowRoot !== null && !seenShadows.has(shadowRoot)) {
        seenShadows.add(shadowRoot);
        observe(shadowRoot);
        yield* scanTexts(shadowRoot);
        yield* scanShadowRoots(shadowRoot);
      }
      if (count % nodesPerYield === 0) {
        yield;
        if (!walker.currentNode.isConnected) return;
      }
    }
  }

  observe(document);
  return {
    add(root) {
      queued.add(root);
      schedule();
    },
    end() {
      ended = true;
      observer.disconnect();
      clearTimeout(pause);
      if (idle !== undefined) cancelIdleCallback(idle);
    },
  };
}
