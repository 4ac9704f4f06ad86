import project from '../package.json' with { type: 'json' };

/** Names the version of this program, as the project states it. */
export const version = project.version;
