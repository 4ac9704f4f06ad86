/** Tells open pages that everything stored was erased, so that they show nothing of it any more. */
export interface ErasureChannel {
  publish(): void;
  subscribe(listener: () => void): void;
}

export function createErasureChannel(): ErasureChannel {
  const channel = new BroadcastChannel('counterfoil-erasure');
  return {
    publish() {
      channel.postMessage(null);
    },
    subscribe(listener) {
      channel.addEventListener('message', () => {
        listener();
      });
    },
  };
}
