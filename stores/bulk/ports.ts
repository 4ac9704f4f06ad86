import type { InjectionKey } from 'vue';

import type { JobsPort } from '#core/bulk/job';

export const jobsPort: InjectionKey<JobsPort<Blob>> = Symbol('jobs');
