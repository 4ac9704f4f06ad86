import type { JobUpdate } from '#core/bulk/index';

/** Sends the progress of jobs from the worker to open pages. Nobody has to listen: the store holds all of it as well. */
export interface JobProgressChannel {
  publish(update: JobUpdate): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (update: JobUpdate) => void): () => void;
}

export function createJobProgressChannel(): JobProgressChannel {
  const channel = new BroadcastChannel('counterfoil-jobs');
  return {
    publish(update) {
      channel.postMessage(update);
    },
    subscribe(listener) {
      const onMessage = ({ data }: MessageEvent<JobUpdate>): void => {
        listener(data);
      };
      channel.addEventListener('message', onMessage);
      return () => {
        channel.removeEventListener('message', onMessage);
      };
    },
  };
}
