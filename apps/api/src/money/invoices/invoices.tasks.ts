import { defineTask } from '../../platform/tasks/tasks.ts';
import { runDocument } from './document-writing.service.ts';
import { documentTask } from './documents.service.ts';

export const invoicesTasks = [defineTask({ ...documentTask, queue: 'housekeeping', run: runDocument })];
