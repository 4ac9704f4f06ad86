/** Lists ways in which a page can send something to a server. Each asks for a path of its own name. */
export const outwardChannels = [
  'fetch',
  'xhr',
  'beacon',
  'event-source',
  'web-socket',
  'image',
  'background',
  'audio',
  'video',
  'font',
  'stylesheet',
  'preload',
  'script',
  'module',
  'frame',
  'object',
  'embed',
  'form',
] as const;

/**
 * Tries every channel; runs in the page, so it may use nothing from outside itself.
 * @param origin of the server that must hear nothing
 * @returns once every channel has been tried, whether it was refused or not
 */
export async function sendEverywhere(origin: string): Promise<void> {
  const at = (name: string): string => `${origin}/${name}`;
  const insert = (tag: string, attributes: Record<string, string>): HTMLElement => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
    return element;
  };
  const attempts: (() => unknown)[] = [
    () => fetch(at('fetch'), { mode: 'no-cors', method: 'POST', body: 'license' }),
    () => {
      const request = new XMLHttpRequest();
      request.open('POST', at('xhr'));
      request.send('license');
    },
    () => navigator.sendBeacon(at('beacon'), 'license'),
    () => new EventSource(at('event-source')),
    () => new WebSocket(at('web-socket').replace('http', 'ws')),
    () => insert('img', { src: at('image') }),
    () => {
      insert('div', {}).style.cssText =
        `width: 9px; height: 9px; background: url("${at('background')}")`;
    },
    () => insert('audio', { src: at('audio'), preload: 'auto' }),
    () => insert('video', { src: at('video'), preload: 'auto' }),
    () => new FontFace('Outside', `url("${at('font')}")`).load(),
    () => insert('link', { rel: 'stylesheet', href: at('stylesheet') }),
    () => insert('link', { rel: 'preload', as: 'fetch', href: at('preload') }),
    () => insert('script', { src: at('script') }),
    () => import(at('module')),
    () => insert('iframe', { src: at('frame') }),
    () => insert('object', { data: at('object') }),
    () => insert('embed', { src: at('embed') }),
    () => {
      insert('iframe', { name: 'answer' });
      const form = insert('form', { method: 'post', target: 'answer', action: at('form') });
      (form as HTMLFormElement).submit();
    },
  ];
  for (const attempt of attempts) {
    try {
      await Promise.race([attempt(), new Promise((done) => setTimeout(done, 100))]);
    } catch {
      // Refused, as it should be.
    }
  }
}

/**
 * Lists what a worker could still send something with; runs in the worker, so it may use nothing from outside itself.
 */
export function networkLeft(): string[] {
  const ways = [
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'EventSource',
    'WebTransport',
    'RTCPeerConnection',
    'importScripts',
    'Worker',
    'BroadcastChannel',
    'FontFace',
    'caches',
    'fetchLater',
    'WebSocketStream',
    'SharedWorker',
    'fonts',
    'CacheStorage',
    'Cache',
  ];
  return ways.filter((name) => Reflect.get(globalThis, name) !== undefined);
}
