/**
 * Tells whether tests judge a mutant (`scripts/mutation/`): a test of seconds would run again for each of thousands.
 */
export const isUnderMutation = process.env['MUTATED'] !== undefined;
