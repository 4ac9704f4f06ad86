const name = 'counterfoil-lists';

/** Tells the open pages that a stored list was written: connections, license servers, sites or pinned keys. */
export function publishListChange(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(null);
  channel.close();
}

/** Calls back when a stored list was written, whoever wrote it; returns how to stop that. */
export function watchLists(changed: () => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', changed);
  return () => {
    channel.close();
  };
}
