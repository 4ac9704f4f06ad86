/**
 * Removes the functions that could send data from a worker that reads customers' files. The worker imports it before
 * any other module. The policy in the worker's response header forbids the same, as well as `import()`, which cannot be
 * removed. This module also protects if a host sends no headers, and in the extension, whose policy allows its other
 * pages to ask a seller's API.
 */
const networkGlobals = [
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
  for (const name of networkGlobals)
    if (Object.hasOwn(holder, name) && !Reflect.deleteProperty(holder, name))
      Object.defineProperty(holder, name, { value: undefined });

for (const name of networkGlobals)
  if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined });

export {};
