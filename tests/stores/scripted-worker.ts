import type { Ask, Body, Reply, TopicName } from '#messaging/protocol';

export type Script = { [T in TopicName]?: (body: Body<T>) => Reply<T> | Promise<Reply<T>> };

/** Makes a worker that answers as it is told to, and remembers what it was asked. */
export function scriptedWorker(script: Script): {
  ask: Ask;
  asked: { topic: TopicName; body: unknown }[];
  /** The bodies of one topic, in order. */
  bodies: <T extends TopicName>(topic: T) => Body<T>[];
} {
  const asked: { topic: TopicName; body: unknown }[] = [];
  const ask: Ask = async (topic, body) => {
    asked.push({ topic, body });
    const answer = script[topic];
    if (answer === undefined) throw new Error(`"${topic}" is not in the script.`);
    return await answer(body);
  };
  return {
    ask,
    asked,
    bodies: <T extends TopicName>(topic: T) =>
      asked.filter((each) => each.topic === topic).map(({ body }) => body as Body<T>),
  };
}
