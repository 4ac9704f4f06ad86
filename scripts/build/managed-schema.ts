import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names the file that the Chromium manifest refers to. Firefox takes a policy without one. */
export const managedSchema = 'managed-schema.json';

/** Writes the form of a policy: one text, since Chromium hands out nothing of a value that it finds wrong, and says nothing of it. */
export function writeManagedSchema(build: string): void {
  const schema = {
    type: 'object',
    properties: {
      settings: {
        type: 'string',
        title: 'Settings of Counterfoil',
        description: 'The JSON text of a settings file. It must hold no API key.',
      },
    },
  };
  writeFileSync(join(build, managedSchema), `${JSON.stringify(schema, undefined, 2)}\n`);
}
