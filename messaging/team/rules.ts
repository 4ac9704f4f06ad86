import * as v from 'valibot';

import { boundedText, jsonLength, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import { optionsPage } from '#messaging/senders';
import { maxSettingsFile } from '#messaging/settings/rules';
import type { TeamProtocol } from '#messaging/topics/team';

const names = v.array(boundedText(2048));
const hexKey = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));
const entries = v.strictObject({
  connections: names,
  authorities: names,
  sites: names,
  keys: names,
  templates: names,
});

export const teamRules: RulesOf<TeamProtocol> = {
  // The verifier applies the team's revoked keys.
  'team.state': { from: [...optionsPage, 'verifier'], body: noBody },
  'team.join': {
    from: optionsPage,
    body: v.strictObject({
      relay: v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#]+$/u)),
      name: boundedText(200),
      settingsKey: v.exactOptional(hexKey),
      invite: v.exactOptional(v.pipe(v.string(), v.regex(/^cfi1_\w{1,200}$/u))),
    }),
  },
  'team.cancel': { from: optionsPage, body: noBody },
  'team.settings': { from: [...optionsPage, 'verifier'], body: noBody },
  'team.apply': {
    from: optionsPage,
    body: v.strictObject({
      file: v.pipe(
        v.unknown(),
        v.check((file) => jsonLength(file) <= maxSettingsFile),
      ),
      settingsKey: hexKey,
      adds: v.strictObject({ keys: names, templates: names }),
      removes: entries,
    }),
  },
  'team.finish': {
    from: optionsPage,
    body: v.strictObject({ version: v.number(), settingsKey: hexKey, removes: entries }),
  },
  'team.leave': { from: optionsPage, body: noBody },
};
