/** Describes one message topic: what the asking side sends, and what the worker replies. */
export interface Topic<Body, Reply> {
  body: Body;
  reply: Reply;
}

/** Constrains a protocol: each of its members is a topic. */
export type Topics<P> = { [T in keyof P]: Topic<unknown, unknown> };

/** Describes the body of a request that carries nothing: `{}`. */
export type NoBody = Record<string, never>;
