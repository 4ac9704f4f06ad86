import { mayHoldCode } from '#core/ticket/code-positions';
import { type TextRun, textRunAround, textOf } from '#entrypoints/ticket-view/text-run';
import type { TextRules } from '#entrypoints/ticket-view/text-rules';

interface Scanning {
  readonly rules: TextRules;
  /** Length of the shortest form of code. */
  readonly least: number;
  /** Gets every passage with what may be a part of a code. `false`: there is no room for more. */
  readonly read: (passage: TextRun) => boolean;
  /** Told after every change of the page, before anything is looked through. */
  readonly changed: () => void;
}

export interface Scan {
  /** Looks through a node and all in it, some time soon. */
  look(root: Node): void;
  end(): void;
}

/** Milliseconds of one go; far below what a frame takes. */
const goMs = 5;
/** On a page that is never idle. */
const leastGoMs = 2;
/** Between two rounds, at least, and so many times as long as the last round worked: so it stays below 2 % of a core. */
const pauseMs = 200;
const pauseRatio = 120;
/** However long a round worked: nobody waits longer than this for a chip. */
const longestPauseMs = 10_000;
/** Changed places that are kept apart; more, and the whole page is looked through again. */
const mostPlaces = 300;
/** Nodes between two looks at the clock. */
const stride = 64;

/**
 * Looks through text, at first all and then what changes, in goes of a few milliseconds while the page is idle. The page
 * pays for a node no more than a walk over it and a glance at its text.
 */
export function startScan({ rules, least, read, changed }: Scanning): Scan {
  const places = new Set<Node>();
  const seenShadows = new WeakSet<ShadowRoot>();
  /** The round that is under way, and on top of it one for what changed since: the page's news go first. */
  const work: Generator<undefined>[] = [];
  let worked = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let idle: number | undefined;
  let ended = false;

  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') places.add(target);
      else for (const node of addedNodes) places.add(node);
      if (places.size > mostPlaces) break;
    }
    if (places.size > mostPlaces) {
      places.clear();
      places.add(document);
      work.length = 0;
    }
    changed();
    wake();
  });
  const observe = (root: Node): void => {
    observer.observe(root, { childList: true, characterData: true, subtree: true });
  };

  function wake(): void {
    if (ended || idle !== undefined || waiting !== undefined) return;
    if (work.length + places.size === 0) return;
    idle = requestIdleCallback(go, { timeout: 500 });
  }

  function go(deadline: IdleDeadline): void {
    idle = undefined;
    const started = performance.now();
    const until = started + Math.min(goMs, Math.max(leastGoMs, deadline.timeRemaining()));
    if (places.size > 0 && work.length < 2) work.push(round());
    while (work.length > 0 && performance.now() < until)
      if (work.at(-1)?.next().done === true) work.pop();
    worked += performance.now() - started;
    if (work.length === 0) {
      const rest = Math.min(longestPauseMs, Math.max(pauseMs, worked * pauseRatio));
      waiting = setTimeout(rested, rest);
      worked = 0;
    } else wake();
  }

  function rested(): void {
    waiting = undefined;
    wake();
  }

  /** Yields every few dozen nodes, and after everything that takes longer than a glance. */
  function* round(): Generator<undefined> {
    const roots = [...places];
    places.clear();
    for (const root of roots) {
      if (!root.isConnected) continue;
      yield* texts(root);
      yield* shadows(root);
    }
  }

  function* texts(root: Node): Generator<undefined> {
    if (root instanceof Text) {
      yield* glance(root, undefined);
      return;
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let count = 1; ; count += 1) {
      const text = walker.nextNode() as Text | null;
      if (text === null) return;
      if (mayHoldCode(textOf(text), least)) yield* glance(text, walker);
      else if (count % stride === 0) {
        yield;
        // What was cut off in the meantime leads nowhere; what came instead was noticed.
        if (!walker.currentNode.isConnected) return;
      }
    }
  }

  function* glance(text: Text, walker: TreeWalker | undefined): Generator<undefined> {
    if (!mayHoldCode(textOf(text), least) || !rules.isTicketText(text)) {
      yield;
      return;
    }
    const passage = textRunAround(text, least, rules);
    const isRoom = read(passage);
    // The passage may reach beyond the part of the page that is looked through now.
    if (walker?.root.contains(passage.lastCandidate) === true)
      walker.currentNode = passage.lastCandidate;
    if (!isRoom) places.clear();
    yield;
  }

  function* shadows(root: Node): Generator<undefined> {
    if (root instanceof Text) return;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    let element = root instanceof Element ? root : walker.nextNode();
    for (let count = 1; element !== null; element = walker.nextNode(), count += 1) {
      const { shadowRoot } = element as Element;
      if (shadowRoot !== null && !seenShadows.has(shadowRoot)) {
        seenShadows.add(shadowRoot);
        observe(shadowRoot);
        yield* texts(shadowRoot);
        yield* shadows(shadowRoot);
      }
      if (count % stride === 0) {
        yield;
        if (!walker.currentNode.isConnected) return;
      }
    }
  }

  observe(document);
  return {
    look(root) {
      places.add(root);
      wake();
    },
    end() {
      ended = true;
      observer.disconnect();
      clearTimeout(waiting);
      if (idle !== undefined) cancelIdleCallback(idle);
    },
  };
}
