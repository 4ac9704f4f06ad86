import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { expect, test } from 'vitest';

import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { fail, succeed } from '#core/result';
import { replyTemplatesPort, type ReplyTemplateStore } from '#stores/reply-templates/ports';

const stored = { format: 'markdown', supported: 'Hello {name}' };

function opened({ read, write }: Partial<ReplyTemplateStore> = {}) {
  const written: object[] = [];
  const pinia = createPinia();
  createApp({})
    .use(pinia)
    .provide(replyTemplatesPort, {
      read: read ?? (() => Promise.resolve(stored)),
      write:
        write ??
        ((settings) => {
          written.push(settings);
          return Promise.resolve(succeed(undefined));
        }),
    });
  return { replies: useReplyTemplateSettings(pinia), written };
}

test('templates are read from storage', async () => {
  const { replies } = opened();
  await replies.ready;
  expect(replies.settings.format).toBe('markdown');
});

test('what cannot be read becomes the default', async () => {
  const { replies } = opened({ read: () => Promise.resolve(['no settings']) });
  await replies.ready;
  expect(replies.settings).toEqual({ format: 'plain' });
});

test('a change that is made before they were read is not overwritten by them', async () => {
  const { replies, written } = opened();
  await replies.change({ format: 'plain' });
  expect(replies.settings).toEqual({ format: 'plain' });
  expect(written).toEqual([{ format: 'plain' }]);
  // A proxy cannot be cloned, and extension storage clones.
  expect(structuredClone(written[0])).toEqual({ format: 'plain' });
});

test('a failed write is shown until one succeeds', async () => {
  let full = true;
  const { replies } = opened({
    write: () => (full ? Promise.reject(new Error('quota')) : Promise.resolve(succeed(undefined))),
  });
  await replies.change({ format: 'plain' });
  expect(replies.unsaved).toBe('storage-full');
  full = false;
  await replies.change({ format: 'plain' });
  expect(replies.unsaved).toBeUndefined();
});

test('templates of a newer version are not overwritten, and the page is told', async () => {
  const { replies } = opened({ write: () => Promise.resolve(fail({ kind: 'newer-version' })) });
  await replies.change({ format: 'plain' });
  expect(replies.unsaved).toBe('newer-version');
});
