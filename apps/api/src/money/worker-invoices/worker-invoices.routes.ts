import { workerInvoices } from '@nearhand/contract/money/worker-invoices';
import { z } from 'zod';
import { read, write } from '../../platform/http/bind.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { issueMonthlyWorkerInvoices, replaceInvoice } from './issue-invoices.ts';
import { agreeToSelfBilling, endAgreement, saveTaxDetails, viewSetup } from './tax-details.ts';
import { listForBusiness, listMine, objectToInvoice } from './worker-invoices.ts';

export const workerInvoicesTasks = [
  defineTask({
    name: 'workerInvoices.issue',
    payload: z.object({}).loose(),
    daily: true,
    run: issueMonthlyWorkerInvoices,
  }),
];

export const workerInvoicesRoutes = {
  setup: read(workerInvoices.setup, viewSetup),
  saveDetails: write(workerInvoices.saveDetails, saveTaxDetails),
  agree: write(workerInvoices.agree, agreeToSelfBilling),
  endAgreement: write(workerInvoices.endAgreement, endAgreement),
  mine: read(workerInvoices.mine, listMine),
  object: write(workerInvoices.object, objectToInvoice),
  replace: write(workerInvoices.replace, replaceInvoice),
  forBusiness: read(workerInvoices.forBusiness, listForBusiness),
};
