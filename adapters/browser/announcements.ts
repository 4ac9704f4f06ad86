import type { ListName } from '#core/storage/index';
import type { JobUpdate } from '#core/jobs/index';

/** The messages to open pages, by the name of their channel. A page need not listen. */
interface Announcements {
  /** Everything stored was erased: no page may show anything of it any more. */
  readonly erasure: null;
  /** Answers were recorded in the history. */
  readonly history: null;
  /** A bulk check went on; the store holds all of it as well. */
  readonly jobs: JobUpdate;
  /** This list was written. */
  readonly lists: ListName;
}

/** The channels that were announced on. A bulk check announces a hundred times a second, and opening one is dear. */
const channels: Partial<Record<keyof Announcements, BroadcastChannel>> = {};

/** Tells everybody who listens, in this page too. */
export function announce<Name extends keyof Announcements>(
  name: Name,
  message: Announcements[Name],
): void {
  (channels[name] ??= new BroadcastChannel(`counterfoil-${name}`)).postMessage(message);
}

/** Calls back at each announcement of any page or worker; returns a function that stops that. */
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
