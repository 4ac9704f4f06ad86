import * as v from 'valibot';

import { jsonLength, noBody } from '#messaging/body-schemas';
import type { RulesOf } from '#messaging/rule';
import { optionsPage } from '#messaging/senders';
import type { SettingsProtocol } from '#messaging/topics/settings';

/** Limits the settings file, in UTF-16 units of JSON. */
export const maxSettingsFile = 2_097_152;

const fileBody = v.strictObject({
  file: v.pipe(
    v.unknown(),
    v.check((file) => jsonLength(file) <= maxSettingsFile),
  ),
});

export const settingsRules: RulesOf<SettingsProtocol> = {
  'settings.export': { from: optionsPage, body: noBody },
  'settings.preview': { from: optionsPage, body: fileBody },
  'settings.import': { from: optionsPage, body: fileBody },
  'settings.erase': { from: optionsPage, body: noBody },
};
