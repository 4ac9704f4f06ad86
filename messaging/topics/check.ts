import type { CheckReport } from '#core/check/check-report';
import type { Topic } from '#messaging/topic';

export interface CheckProtocol {
  /** Checks one code at one connection. */
  check: Topic<CheckRequest, CheckReport>;
}

export interface CheckRequest {
  code: string;
  connectionId: string;
  /** Skips the reply cache. */
  fresh: boolean;
  /** Address of the ticket it was asked from; stored only where the agent allows it. */
  ticket?: string;
}
