import { memberOf, parentOf } from '#components/chips/flat-tree';
import { type TextRun, textRunAround, textOf } from '#components/chips/text-run';
import { mayHoldCode, type SiteNote } from '#core/chips/index';

interface ScanOptions {
  readonly rules: TextRules;
  readonly minCodeLength: number;
  /** Called with every text run that may hold a part of a code. Returns `false` when there is no room for more codes. */
  readonly read: (run: TextRun) => boolean;
  /** Called after every change of the page, before it is scanned. */
  readonly changed: () => void;
}

export interface Scan {
  /** Queues a node with all in it. */
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
/** Bounds the wait for a chip, however long a round worked. */
const maxPauseMs = 10_000;
/** The maximum of changed nodes in the queue; beyond it the whole page is scanned. */
const maxQueued = 300;
/** Nodes between two reads of the clock. */
const nodesPerYield = 64;

/**
 * Scans the text of the document and its open shadow roots, and then every change, in slices of a few milliseconds while the
 * page is idle.
 */
export function startScan({ rules, minCodeLength, read, changed }: ScanOptions): Scan {
  const queued = new Set<Node>();
  const seenShadows = new WeakSet<ShadowRoot>();
  /** The round that is under way, and on top of it one for what changed since, which goes first. */
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
      if (mayHoldCode(textOf(text), minCodeLength)) yield* readText(text, walker);
      else if (count % nodesPerYield === 0) {
        yield;
        // The walk cannot go on from a removed node; the observer has queued its replacement.
        if (!walker.currentNode.isConnected) return;
      }
    }
  }

  function* readText(text: Text, walker: TreeWalker | undefined): Generator<undefined> {
    if (!mayHoldCode(textOf(text), minCodeLength) || !rules.isTicketText(text)) {
      yield;
      return;
    }
    const run = textRunAround(text, minCodeLength);
    const isRoom = read(run);
    // The run may reach beyond the part of the page that is scanned now.
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

/** Selects what is never ticket text: fields, elements without visible text, and editors. */
const neverTicketText = [
  'script, style, noscript, template, textarea, select, title, svg, iframe, object',
  '[contenteditable]:not([contenteditable="false" i])',
  '[role="textbox" i], [role="searchbox" i], [role="combobox" i]',
  '.CodeMirror, .cm-editor, .monaco-editor, .ace_editor, .ck-editor, .ql-editor, .ProseMirror, .tox, .fr-box',
].join(', ');

export type TicketNote = Omit<SiteNote, 'hosts'>;

export interface TextRules {
  /** Tells whether a text node belongs to the ticket, as far as the notes of the site know. */
  readonly isTicketText: (text: Text) => boolean;
  /** Looks anew which notes fit, the next time: the page may be another. */
  readonly forget: () => void;
}

/**
 * Limits the search to messages by the first note that fits the page and finds a message on it; without one the whole page
 * counts, except what the notes that fit leave alone. A selector without a match reads the whole page, so this is kept until
 * `forget`.
 */
export function createTextRules(notes: readonly TicketNote[]): TextRules {
  let note: TicketNote | undefined;
  let apart: string | undefined;

  return {
    isTicketText(text) {
      if (document.designMode === 'on') return false;
      if (apart === undefined) {
        const fitting = notes.filter(
          ({ known }) => known === undefined || document.querySelector(known) !== null,
        );
        note = fitting.find(({ messages }) => document.querySelector(messages) !== null);
        apart = [
          neverTicketText,
          ...(note?.composer === undefined ? [] : [note.composer]),
          ...fitting.flatMap(({ leftAlone }) => leftAlone ?? []),
        ].join();
      }
      let inMessage = note === undefined;
      for (let element = parentOf(text); element !== null; element = hostOf(element)) {
        if (closest(element, apart) !== null) return false;
        inMessage ||= note !== undefined && closest(element, note.messages) !== null;
      }
      return inMessage;
    },
    forget() {
      apart = undefined;
    },
  };
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

/** Returns the host of the shadow tree that holds an element; `null` outside of shadow trees. */
function hostOf(element: Element): Element | null {
  const root = Element.prototype.getRootNode.call(element);
  return root instanceof ShadowRoot ? root.host : null;
}
