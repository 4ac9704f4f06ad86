import type { HttpBindings } from '@hono/node-server';

/** Describes what every handler of the sandbox finds in its context. */
export interface SandboxEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request's body, read once. */
    body: Uint8Array<ArrayBuffer>;
  };
}
