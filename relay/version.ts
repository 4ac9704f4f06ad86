import { basename } from 'node:path';

import project from '../package.json' with { type: 'json' };

export const version = project.version;

/** Whether the program is one file with Node in it, in which it stands itself where a script's name would. */
export const isExecutable = process.argv[1] === process.argv0;

export const calledAs = isExecutable ? `./${basename(process.execPath)}` : 'node relay.mjs';
