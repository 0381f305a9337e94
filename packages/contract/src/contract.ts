import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { businesses } from './businesses.ts';
import { files } from './files.ts';
import { jobs } from './jobs.ts';
import { notifications } from './notifications.ts';
import { places } from './places.ts';
import { profiles } from './profiles.ts';

/** Every operation of the API, by slice. Paths are under `/api`. Sign-in itself is under `/api/auth` and belongs to the provider (ADR 0004). */
export const contract = { accounts, applications, businesses, files, jobs, notifications, places, profiles };
export type Contract = typeof contract;
