import { checkRules } from '#messaging/topics/check';
import { connectionListRules } from '#messaging/topics/connections';
import { lockRules } from '#messaging/topics/secrets';
import { ticketRules } from '#messaging/topics/ticket';

/** Holds the rules of the topics that a check and a ticket need: the worker's first script serves them. */
export const checkingRules = {
  ...checkRules,
  ...connectionListRules,
  ...lockRules,
  ...ticketRules,
};
