import { html } from 'hono/html';

import type { Html } from '#sandbox/pages/html';
import { layout } from '#sandbox/pages/layout';
import { messageCard } from '#sandbox/pages/help-desk';
import { sampleCodes } from '#sandbox/seed/sample-codes';
import type { Message } from '#sandbox/seed/ticket';

const demo = sampleCodes('/demo');
const codes = [demo.supported, demo.lapsed, demo.noSupport, demo.unknown];

/** Renders a long thread: `count` messages, with a code in every fiftieth. */
export function threadPage(count: number, now: number): Html {
  return layout(
    `A thread of ${String(count)} messages`,
    html`<main data-desk>
      <h1>A thread of ${String(count)} messages</h1>
      ${Array.from({ length: count }, (_, index) => messageCard(messageAt(index, count), 'Ruairí', now))}
    </main>`,
  );
}

function messageAt(index: number, count: number): Message {
  const code = index % 50 === 10 ? codes[Math.floor(index / 50) % codes.length] : undefined;
  const text =
    code === undefined
      ? `Attempt ${String(index + 1)}: the same as before, on version 2.4.${String(index % 10)}.\n\nRegards`
      : `Again, my code: ${code}\n\nRegards`;
  return { from: index % 3 === 1 ? 'agent' : 'customer', hoursAgo: count - index, text };
}
