import { threadId } from 'node:worker_threads';

/**
 * Node's channels cross threads, and each thread of a run has test files of its own: what one announces is nothing to
 * another.
 */
class OwnChannel extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} of thread ${String(threadId)}`);
  }
}

// Run again for each file of a thread.
if (BroadcastChannel.name !== OwnChannel.name) globalThis.BroadcastChannel = OwnChannel;
