import * as v from 'valibot';

import { jsonLength, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import { optionsPage } from '#messaging/senders';
import type { SettingsProtocol } from '#messaging/settings/protocol';

/** Largest settings file, in UTF-16 units of JSON. */
export const maxSettingsFile = 262_144;

export const settingsRules: RulesOf<SettingsProtocol> = {
  'settings.export': { from: optionsPage, body: noBody },
  'settings.import': {
    from: optionsPage,
    body: v.strictObject({
      file: v.pipe(
        v.unknown(),
        v.check((file) => jsonLength(file) <= maxSettingsFile),
      ),
    }),
  },
};
