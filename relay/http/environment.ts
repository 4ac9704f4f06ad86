import type { HttpBindings } from '@hono/node-server';

/** Describes what every handler of the relay finds in its context. */
export interface RelayEnvironment {
  Bindings: HttpBindings;
}
