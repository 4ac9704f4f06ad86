import { describe, expectTypeOf, test } from 'vitest';

import type { CheckReport } from '#core/check/index';
import type { Result } from '#core/result';
import type { ConnectionDraft, SaveFault } from '#messaging/topics/connections';
import type { ConnectionState } from '#core/connections/index';
import type { Handlers } from '#messaging/serve';
import type { Ask, Body, Replies, Reply, TopicName } from '#messaging/protocol';

/** The topics whose handler takes another body, or gives another reply, than the protocol says. */
type WithOtherHandler = {
  [T in TopicName]: Handlers[T] extends (body: Body<T>, ...rest: never[]) => Promise<infer R>
    ? [R, Reply<T>] extends [Reply<T>, R]
      ? never
      : T
    : T;
}[TopicName];

describe('the protocol', () => {
  test('has a reply and a handler for every topic, and no other', () => {
    expectTypeOf<keyof Replies>().toEqualTypeOf<TopicName>();
    expectTypeOf<keyof Handlers>().toEqualTypeOf<TopicName>();
  });

  test('has handlers that take its bodies and give its replies', () => {
    expectTypeOf<WithOtherHandler>().toBeNever();
  });

  test('ties the reply to the topic', () => {
    expectTypeOf<Reply<'check'>>().toEqualTypeOf<CheckReport>();
    expectTypeOf<Body<'connections.save'>>().toEqualTypeOf<ConnectionDraft>();
    expectTypeOf<Reply<'connections.save'>>().toEqualTypeOf<Result<ConnectionState, SaveFault>>();
    expectTypeOf<ReturnType<Ask>>().resolves.toEqualTypeOf<Reply<TopicName>>();
  });

  test('hands each topic its own body', () => {
    expectTypeOf<Parameters<Handlers['check']>[0]>().toEqualTypeOf<Body<'check'>>();
    expectTypeOf<keyof Handlers>().toEqualTypeOf<TopicName>();
  });

  test('takes no unknown topic and no foreign body', () => {
    const ask = (() => undefined) as unknown as Ask;
    // @ts-expect-error: no such topic
    void ask('no.such-topic', {});
    // @ts-expect-error: the body of another topic
    void ask('check', { id: 'c1' });
    // @ts-expect-error: a member too many
    void ask('connections.list', { all: true });
  });

  test('carries no API key back', () => {
    expectTypeOf<ConnectionState>().not.toHaveProperty('apiKey');
  });
});
