import { limits } from '@nearhand/contract/limits';
import { whole } from './config-shapes.ts';

/** Settings for deleting an account and for copies of its data. */
export const accountDataSettings = {
  ACCOUNT_DELETION_DAYS: {
    shape: whole(1, 365).default(limits.accountDeletionDays),
    doc: 'Days in which someone can undo the deletion of their account.',
  },
  DATA_EXPORT_HOURS: {
    shape: whole(1, 168).default(limits.dataExportHours),
    doc: 'Hours for which the mailed link to a data export works; then the file is deleted.',
  },
  DATA_EXPORTS_PER_DAY: {
    shape: whole(1, 1_000).default(limits.dataExportsPerDay),
    doc: 'Data exports per account in 24 hours.',
  },
};
