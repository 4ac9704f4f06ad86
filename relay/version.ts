import { basename } from 'node:path';

import project from '../package.json' with { type: 'json' };

export const version = project.version;

/** Whether the program is a single executable with Node, which has its own name in place of a script's. */
export const isExecutable = process.argv[1] === process.argv0;

export const calledAs = isExecutable ? `./${basename(process.execPath)}` : 'node relay.mjs';
