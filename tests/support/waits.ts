import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits as long as something that must not happen would take to happen. An absence has no event to wait for; everything
 * else has one, and is polled.
 * @param milliseconds longer than what must not happen takes on a machine at rest
 */
export function waitForAbsence(milliseconds: number): Promise<void> {
  return pause(milliseconds);
}
