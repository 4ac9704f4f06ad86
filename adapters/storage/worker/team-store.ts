import * as v from 'valibot';

import { defineRecord } from '#adapters/storage/tables';
import { parseWithSchema } from '#adapters/storage/parse-with-schema';
import type { StorageArea } from '#adapters/storage/storage-area';
import { type StoredSetting, createStoredSetting } from '#adapters/storage/stored-setting';
import { fail, type Result } from '#core/result';
import type { StorageFull } from '#core/storage/index';
import { type JoinedTeam, joinedTeamSchema } from '#core/team/index';

export interface StoredTeam {
  readonly joined?: JoinedTeam;
}

const teamCodec = defineRecord<StoredTeam>(
  parseWithSchema(v.object({ joined: v.exactOptional(joinedTeamSchema) })),
);

/** Stores the team. A team stored by a newer version of the program is not changed. */
export interface TeamStore extends Omit<StoredSetting<StoredTeam>, 'write' | 'change'> {
  write(team: StoredTeam): Promise<Result<void, StorageFull>>;
}

export function createTeamStore(area: StorageArea): TeamStore {
  const setting = createStoredSetting({
    area,
    key: 'team',
    codec: teamCodec,
    salvage: (): StoredTeam => ({}),
  });
  const notStored = fail({ kind: 'storage-full' });
  return {
    ...setting,
    write: (team) =>
      setting.write(team).then(
        (written) => (written.ok ? written : notStored),
        () => notStored,
      ),
  };
}
