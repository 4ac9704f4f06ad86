import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { expect, test } from 'vitest';

import type { ReplySettings, ReplyTemplate } from '#core/reply-templates/index';
import { fail } from '#core/result';
import { useReplyTemplateSettings } from '#stores/reply-templates/reply-templates';
import { replyTemplatesPort, type ReplyTemplateStore } from '#stores/reply-templates/ports';
import { createReplyTemplateStore } from '#adapters/storage/reply-templates';
import { createMemoryArea } from '#tests/adapters/memory-area';
import { createMemoryReplies } from '#tests/stores/reply-templates/memory-replies';

const german = { greeting: 'Hallo', closing: 'Gruß' };
const french = { greeting: 'Bonjour', closing: 'Salut' };
const template: ReplyTemplate = {
  id: 'own',
  name: 'Mine',
  text: 'Hello',
  language: 'en',
  situation: 'supported',
};

/** A page over a store, which other pages may have open as well. */
function opened(store: ReplyTemplateStore | null) {
  const pinia = createPinia();
  createApp({})
    .use(pinia)
    .provide(replyTemplatesPort, store === null ? null : () => Promise.resolve(store));
  return useReplyTemplateSettings(pinia);
}

const toPlain = (present: ReplySettings): ReplySettings => ({ ...present, format: 'plain' });

test('templates are read from storage', async () => {
  const replies = opened(createMemoryReplies({ format: 'markdown', supported: 'Hello {name}' }));
  await replies.ready;
  expect(replies.settings.format).toBe('markdown');
});

test('what cannot be read becomes the default', async () => {
  const replies = opened(createMemoryReplies(['no settings']));
  await replies.ready;
  expect(replies.settings).toEqual({ format: 'plain' });
});

test('a page without a store has the defaults, and remembers nothing', async () => {
  const replies = opened(null);
  await replies.ready;
  expect(replies.settings).toEqual({ format: 'plain' });
  expect(replies.remembers).toBe(false);
});

test('a change that is made before they were read is not overwritten by them', async () => {
  const store = createMemoryReplies({ format: 'markdown' });
  const replies = opened(store);
  await replies.change(toPlain);
  expect(replies.settings).toEqual({ format: 'plain' });
  expect(store.written).toEqual([{ format: 'plain' }]);
  // A proxy cannot be cloned, and extension storage clones.
  expect(structuredClone(store.written[0])).toEqual({ format: 'plain' });
});

test('a change leaves what another page has written, and shows it', async () => {
  const store = createMemoryReplies();
  const panel = opened({ ...store, watch: () => undefined });
  await panel.ready;
  await opened(store).change((present) => ({ ...present, templates: [template] }));
  const customers = [{ domain: 'customer.example', language: 'de' }];
  await panel.change((present) => ({ ...present, customers }));
  const both = { format: 'plain', templates: [template], customers };
  expect(store.written.at(-1)).toEqual(both);
  expect(panel.settings).toEqual(both);
});

test('what another page has written is shown', async () => {
  const store = createMemoryReplies();
  const panel = opened(store);
  await panel.ready;
  await opened(store).change((present) => ({ ...present, templates: [template] }));
  await expect.poll(() => panel.settings.templates).toEqual([template]);
});

test('changes that follow at once are all stored, and none is shown over a later one', async () => {
  const store = createMemoryReplies();
  const replies = opened(store);
  await replies.ready;
  const changes = [
    replies.change((present) => ({ ...present, frames: { ...present.frames, de: german } })),
    replies.change((present) => ({ ...present, frames: { ...present.frames, fr: french } })),
  ];
  const both = { format: 'plain', frames: { de: german, fr: french } };
  await changes[0];
  expect(replies.settings).toEqual(both);
  await changes[1];
  expect(replies.settings).toEqual(both);
  expect(store.written.at(-1)).toEqual(both);
});

test('changes of two pages at the same moment are both stored', async () => {
  const store = createReplyTemplateStore(createMemoryArea());
  const pages = [1, 2].map(() => opened({ ...store, watch: () => undefined }));
  await Promise.all(pages.map(({ ready }) => ready));
  await Promise.all([
    pages[0]?.change((present) => ({ ...present, templates: [template] })),
    pages[1]?.change((present) => ({ ...present, language: 'de' })),
  ]);
  expect(await store.read()).toEqual({ format: 'plain', language: 'de', templates: [template] });
});

test('a failed write is shown until one succeeds, and goes into that', async () => {
  let full = true;
  const store = createMemoryReplies();
  const replies = opened({
    ...store,
    change: (edit) => (full ? Promise.reject(new Error('quota')) : store.change(edit)),
  });
  await replies.change((present) => ({ ...present, templates: [template] }));
  expect(replies.unsaved).toBe('storage-full');
  full = false;
  await replies.change((present) => ({ ...present, language: 'de' }));
  expect(replies.unsaved).toBeUndefined();
  expect(store.written).toEqual([{ format: 'plain', language: 'de', templates: [template] }]);
});

test('what another page stores after a failed write is shown with it, and stays when it is stored', async () => {
  let full = true;
  const store = createMemoryReplies({ format: 'markdown' });
  const replies = opened({
    ...store,
    change: (edit) => (full ? Promise.reject(new Error('quota')) : store.change(edit)),
  });
  const other = opened(store);
  await Promise.all([replies.ready, other.ready]);
  await replies.change((present) => ({ ...present, frames: { ...present.frames, de: german } }));
  await other.change((present) => ({ ...present, templates: [template] }));
  await expect.poll(() => replies.settings.templates).toEqual([template]);
  expect(replies.settings.frames).toEqual({ de: german });
  full = false;
  await replies.change((present) => ({ ...present, frames: { ...present.frames, fr: french } }));
  const all = { format: 'markdown', templates: [template], frames: { de: german, fr: french } };
  expect(store.written.at(-1)).toEqual(all);
  expect(replies.settings).toEqual(all);
});

test('changes that follow at once are stored once each, whichever of them fails', async () => {
  const store = createMemoryReplies();
  let writes = 0;
  const replies = opened({
    ...store,
    change: (edit) => {
      writes += 1;
      return writes === 2 ? Promise.reject(new Error('quota')) : store.change(edit);
    },
  });
  const add =
    (id: string) =>
    (present: ReplySettings): ReplySettings => ({
      ...present,
      templates: [...(present.templates ?? []), { ...template, id }],
    });
  await Promise.all(['1', '2', '3'].map((id) => replies.change(add(id))));
  expect(replies.unsaved).toBeUndefined();
  expect(store.written.at(-1)?.templates?.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(replies.settings).toEqual(store.written.at(-1));
});

test('templates of a newer version are not overwritten, and the page is told', async () => {
  const store = createMemoryReplies();
  const replies = opened({
    ...store,
    change: () => Promise.resolve(fail({ kind: 'newer-version' })),
  });
  await replies.change(toPlain);
  expect(replies.unsaved).toBe('newer-version');
});

test('a change whose present state cannot be read is shown as not stored, and goes into the next', async () => {
  let blocked = false;
  const store = createMemoryReplies({ format: 'markdown' });
  const replies = opened({
    ...store,
    change: (edit) => (blocked ? Promise.reject(new Error('blocked')) : store.change(edit)),
  });
  await replies.ready;
  blocked = true;
  await replies.change((present) => ({ ...present, templates: [template] }));
  expect(replies.settings).toEqual({ format: 'markdown', templates: [template] });
  expect(replies.unsaved).toBe('storage-full');
  blocked = false;
  await replies.change((present) => ({ ...present, language: 'de' }));
  expect(replies.unsaved).toBeUndefined();
  expect(store.written).toEqual([{ format: 'markdown', language: 'de', templates: [template] }]);
});
