import type { JobUpdate } from '#core/bulk/job';

/** From the worker that runs jobs to whichever pages are open. Nobody has to listen: all of it stands in the store as well. */
export interface JobNewsChannel {
  announce(news: JobUpdate): void;
  /** Gives what ends it. */
  watch(heard: (news: JobUpdate) => void): () => void;
}

export function createJobNews(): JobNewsChannel {
  const channel = new BroadcastChannel('counterfoil-jobs');
  return {
    announce(news) {
      channel.postMessage(news);
    },
    watch(heard) {
      const listener = ({ data }: MessageEvent<JobUpdate>): void => {
        heard(data);
      };
      channel.addEventListener('message', listener);
      return () => {
        channel.removeEventListener('message', listener);
      };
    },
  };
}
