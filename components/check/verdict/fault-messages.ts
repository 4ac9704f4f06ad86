import type { Fault } from '#core/marketplaces/index';
import { visibleText } from '#core/text/index';

/** A step that an agent can take next about a fault. */
export type FaultStep = 'retry' | 'options' | 'allow' | 'unlock' | 'plain' | 'signIn';

/** The catalogue keys of a fault's sentences, their values, and the next steps. */
export interface FaultMessages {
  readonly key: string;
  /** The key of the second sentence, if it differs from `key`. */
  readonly why?: string;
  readonly fill: Readonly<Record<string, string | number>>;
  readonly steps: readonly FaultStep[];
}

/**
 * Maps each kind of fault to its sentence and next step; a new kind does not compile until it has both.
 * @param throughRelay whether the connection goes through a team's relay, which holds the key
 */
export function faultMessages(fault: Fault, throughRelay = false): FaultMessages {
  switch (fault.kind) {
    case 'offline':
      return { key: 'fault.offline', fill: {}, steps: ['retry'] };
    case 'unreachable':
      return {
        key: throughRelay ? 'fault.relayUnreachable' : 'fault.unreachable',
        fill: {},
        steps: ['retry'],
      };
    case 'timeout':
      return {
        key: 'fault.timeout',
        fill: { seconds: Math.round(fault.afterMs / 1000) },
        steps: ['retry'],
      };
    case 'rate-limited':
      return {
        key: `fault.rateLimited.${fault.search === undefined ? fault.by : 'search'}`,
        fill: { asked: fault.search?.asked ?? 0, total: fault.search?.of ?? 0 },
        steps: ['retry'],
      };
    case 'refused':
      if (fault.about === 'key' && throughRelay)
        return {
          key: 'fault.refused.relayKey',
          fill: { msg: visibleText(fault.msg) },
          steps: ['retry'],
        };
      return {
        key: `fault.refused.${fault.permission === undefined ? fault.about : 'permission'}`,
        fill: { msg: visibleText(fault.msg), permission: fault.permission ?? '' },
        steps: [fault.about === 'key' ? 'options' : 'retry'],
      };
    case 'redirected':
      return {
        key: `fault.redirected.${camel(fault.userAgent)}`,
        fill: {},
        steps: fault.userAgent === 'ruled-out' ? ['options', 'retry'] : ['plain', 'retry'],
      };
    case 'api-off':
      return { key: 'fault.apiOff', fill: {}, steps: ['options'] };
    case 'not-json':
      return {
        key: `fault.notJson.${camel(fault.userAgent)}`,
        fill: { status: fault.status },
        steps: fault.userAgent === 'ruled-out' ? ['retry'] : ['plain', 'retry'],
      };
    case 'unreadable':
      return { key: 'fault.unreadable', fill: { path: visibleText(fault.path) }, steps: ['retry'] };
    case 'too-large':
      return { key: 'fault.tooLarge', fill: { limitBytes: fault.limitBytes }, steps: ['options'] };
    case 'mismatch':
      return { key: 'fault.mismatch', fill: {}, steps: ['retry'] };
    case 'server-error':
      return { key: 'fault.serverError', fill: { status: fault.status }, steps: ['retry'] };
    case 'not-permitted':
      return { key: 'fault.notPermitted', fill: { origin: fault.origin }, steps: ['allow'] };
    case 'locked':
      return { key: 'fault.locked', fill: {}, steps: ['unlock'] };
    case 'no-key':
      return { key: `fault.noKey.${camel(fault.reason)}`, fill: {}, steps: ['options'] };
    case 'no-connection':
      return { key: 'fault.noConnection', fill: {}, steps: ['options'] };
    case 'relay-sign-in':
      return { key: `fault.relaySignIn.${fault.reason}`, fill: {}, steps: ['signIn', 'retry'] };
    case 'relay-refused':
      return {
        key: fault.reason === 'role' ? 'fault.relayRefusedRole' : 'fault.relayRefused',
        fill: {},
        steps: ['retry'],
      };
    case 'relay-upstream':
      return {
        key: `fault.relayUpstream.${fault.reason}`,
        ...(fault.cause !== undefined && { why: `fault.relayUpstream.cause.${fault.cause}` }),
        fill: {},
        steps: ['retry'],
      };
    case 'relay-unavailable':
      return { key: `fault.relayUnavailable.${camel(fault.reason)}`, fill: {}, steps: ['retry'] };
  }
}

function camel(kebab: string): string {
  return kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
