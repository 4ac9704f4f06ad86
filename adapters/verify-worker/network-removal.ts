/**
 * Imported first of all by a worker that reads customers' files: takes away everything that could send something out,
 * before any other module runs. The policy in the worker's response header forbids it as well; this holds where a host
 * sends no headers, and in the extension, whose policy allows its other pages to ask a seller's API.
 */
const reachers = [
  'fetch',
  'fetchLater',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'WebTransport',
  'RTCPeerConnection',
  'importScripts',
  'Worker',
  'SharedWorker',
  'BroadcastChannel',
  'FontFace',
  'fonts',
  'caches',
  'CacheStorage',
  'Cache',
];

for (
  let holder: object | null = globalThis;
  holder !== null;
  holder = Object.getPrototypeOf(holder) as object | null
)
  for (const name of reachers)
    if (Object.hasOwn(holder, name) && !Reflect.deleteProperty(holder, name))
      Object.defineProperty(holder, name, { value: undefined });

for (const name of reachers)
  if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined });

export {};
