import type { ListName } from '#core/storage/index';
import type { JobUpdate } from '#core/jobs/index';

/** The messages to open pages, by channel name. */
interface Announcements {
  /** Everything stored was erased, so pages must stop showing it. */
  readonly erasure: null;
  /** Answers were recorded in the history. */
  readonly history: null;
  /** A bulk check made progress, which is also in the store. */
  readonly jobs: JobUpdate;
  /** This list was written. */
  readonly lists: ListName;
}

/** The open channels. A bulk check announces a hundred times a second, and opening a channel is expensive. */
const channels: Partial<Record<keyof Announcements, BroadcastChannel>> = {};

/** Sends an announcement to all listeners, including those in this page. */
export function announce<Name extends keyof Announcements>(
  name: Name,
  message: Announcements[Name],
): void {
  (channels[name] ??= new BroadcastChannel(`counterfoil-${name}`)).postMessage(message);
}

/** Calls back at each announcement of any page or worker; returns a function that stops this. */
export function listen<Name extends keyof Announcements>(
  name: Name,
  heard: (message: Announcements[Name]) => void,
): () => void {
  const channel = new BroadcastChannel(`counterfoil-${name}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Announcements[Name]>) => {
    heard(data);
  });
  return () => {
    channel.close();
  };
}
