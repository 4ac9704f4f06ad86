import { createPinia, type Pinia } from 'pinia';
import { type App, createApp, defineAsyncComponent, h, nextTick, type VNode } from 'vue';
import { Workbox } from 'workbox-window';

import { copyText } from '#adapters/browser/clipboard';
import { saveFile } from '#adapters/browser/save-file';
import { readChoice } from '#adapters/browser/site-choices';
import { trustScript } from '#adapters/browser/trusted-scripts';
import { createClockMemory, createKeyRing } from '#adapters/storage/index';
import { dropWaiting, peekWaiting } from '#adapters/browser/waiting-files';
import { createVerifyWorkers } from '#adapters/verify-worker/verify-workers';
import { type Translation, createCatalogue, isEnglish } from '#components/i18n';
import FrameNotice from '#components/verifier/FrameNotice.vue';
import VerifierApp from '#components/verifier/VerifierApp.vue';
import { provideVerifier, useOpenedDocuments } from '#stores/verifier/index';
import { watchInstallOffer } from '#pwa/install';
import undo from '#locales/en/undo.json';
import verifier from '#locales/en/verifier.json';
import { clockPort, copyPort } from '#stores/ports';
import { replyTemplatesPort } from '#stores/reply-templates/ports';
import { useUpdates } from '#stores/updates';

/** The callbacks for the state of the page's service worker. */
interface OfflineEvents {
  /** Called when everything the page needs is on this device. */
  readonly ready: () => void;
  /** Called when a newer version waits; `start` activates it and reloads the page. */
  readonly newer: (start: () => void) => void;
  /** Called when another window has activated a newer version. */
  readonly replaced: () => void;
}

/** Registers the service worker. In a browser without one, or at an insecure address, the page works only online. */
function registerOffline({ ready, newer, replaced }: OfflineEvents): void {
  if (!('serviceWorker' in navigator)) return;
  const address = new URL('service-worker.js', document.baseURI).href;
  const workbox = new Workbox(trustScript(address), { updateViaCache: 'none' });
  let accepted = false;
  // If no worker is active yet, this page cannot be of an old version, whichever window installs the first.
  const before = navigator.serviceWorker
    .getRegistration()
    .then((known) => known?.active?.state)
    .catch(() => undefined);
  workbox.addEventListener('installed', ({ isUpdate }) => {
    if (isUpdate !== true) ready();
  });
  workbox.addEventListener('waiting', () => {
    newer(() => {
      accepted = true;
      workbox.messageSkipWaiting();
    });
  });
  workbox.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    if (accepted) location.reload();
    else if (isUpdate === true || isExternal === true)
      void before.then((state) => {
        if (state === 'activated') replaced();
      });
  });
  workbox.register().catch(() => undefined);
}

/** The browser's `launchQueue`, which is not in any type library yet. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly files?: readonly FileHandle[] }) => void): void;
}

interface FileHandle {
  readonly kind: 'file' | 'directory';
  getFile?(): Promise<File>;
}

/** Opens files that the operating system passes on, at start and while the window is open. */
function openLaunchedFiles(
  open: (files: readonly { readonly name: string; readonly file: File }[]) => void,
): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    void Promise.all(files.map(fileOf)).then((read) => {
      const opened = read.flatMap((file) =>
        file === undefined ? [] : [{ name: file.name, file }],
      );
      if (opened.length > 0) open(opened);
    });
  });
}

async function fileOf(handle: FileHandle): Promise<File | undefined> {
  return handle.getFile?.().catch(() => undefined);
}

/** The static page's field at the moment when the program took the page over. */
interface EarlyText {
  readonly text: string;
  readonly isFocused: boolean;
  readonly start: number;
  readonly end: number;
}

/** Reads the static page's field, which is painted and accepts text before the program runs. */
function readEarlyText(): EarlyText | undefined {
  const field = document.querySelector<HTMLTextAreaElement>('#license');
  if (field === null) return undefined;
  const { value: text, selectionStart: start, selectionEnd: end } = field;
  return { text, isFocused: document.activeElement === field, start, end };
}

/** Gives the program's field the focus and selection that the static one had. Call it once its text is drawn. */
function focusAsBefore({ isFocused, start, end }: EarlyText): void {
  const field = document.querySelector('textarea');
  if (!isFocused || field === null) return;
  field.focus();
  field.setSelectionRange(start, end);
}

// This prevents clickjacking on hosts that send no headers.
const isFramed = window.top !== window;

/** Draws the site in the chosen language, also in place of one in another language: what is open is in the stores. */
function createDrawing(pinia: Pinia): () => Promise<void> {
  const ports = {
    verify: createVerifyWorkers(),
    keyRing: createKeyRing(),
    clockMemory: createClockMemory(),
    sharedContent: { peek: () => peekWaiting(Date.now()), drop: dropWaiting },
    saveFile,
  };
  const SiteControls = defineAsyncComponent(() => import('#pwa/SiteControls.vue'));
  const controls = (): VNode => h(SiteControls, { onLanguage: () => void redraw() });
  let drawn: App | undefined;

  async function draw(): Promise<void> {
    const chosen = readChoice('language');
    const first = chosen === null || chosen === '' ? navigator.language : chosen;
    // The static page is English, which needs no loading.
    const { locale, messages }: Translation =
      drawn === undefined && isEnglish(first)
        ? { locale: first }
        : await import('#pwa/translations').then(({ translate }) => translate(chosen));
    // Another one was chosen in the meantime.
    if (chosen !== readChoice('language')) return;
    const app = createApp(isFramed ? FrameNotice : VerifierApp)
      .use(pinia)
      .use(createCatalogue(locale, { ...verifier, ...undo }, messages))
      .provide(clockPort, () => Date.now())
      .provide(copyPort, copyText)
      // The site has no page for editing templates and shares no storage with the extension, so it uses the built-in
      // ones.
      .provide(replyTemplatesPort, null);
    provideVerifier(app, { home: { name: 'site', controls }, ...ports });
    const early = drawn === undefined ? readEarlyText() : undefined;
    drawn?.unmount();
    drawn = app;
    app.mount('#app');
    if (early === undefined || isFramed) return;
    if (early.text !== '') useOpenedDocuments(pinia).openText(early.text);
    void nextTick(() => {
      focusAsBefore(early);
    });
  }

  async function redraw(): Promise<void> {
    await draw();
    document.querySelector<HTMLElement>('.site-controls select')?.focus();
  }

  return draw;
}

async function start(): Promise<void> {
  const pinia = createPinia();
  watchInstallOffer();
  await createDrawing(pinia)();

  openLaunchedFiles((files) => {
    useOpenedDocuments(pinia).openFiles(files, false);
  });

  const updates = useUpdates(pinia);
  registerOffline({
    ready: () => {
      updates.announceOffline();
    },
    newer: (begin) => {
      updates.offer(begin);
    },
    replaced: () => {
      updates.replaced = true;
    },
  });
}

void start();
