import type { InjectionKey } from 'vue';

import type { JobsPort } from '#core/jobs/index';

export const jobsPort: InjectionKey<JobsPort<Blob>> = Symbol('jobs');
