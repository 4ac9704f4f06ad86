import { Worker } from 'node:worker_threads';

/** Reads from an embedded database in a separate thread, since a busy team's month takes a second, which would block all calls. */
export function readInThread(
  path: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const reading = `
    const { parentPort, workerData: { path, text } } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    parentPort.postMessage(new DatabaseSync(path, { readOnly: true }).prepare(text).all());`;
  return new Promise((resolve, reject) => {
    new Worker(reading, { eval: true, workerData: { path, text } })
      .once('message', resolve)
      .once('error', reject);
  });
}
