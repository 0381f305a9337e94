import { invoices } from '@nearhand/contract/money/invoices';
import { read } from '../../platform/http/bind.ts';
import { listInvoices } from './invoices.service.ts';

export const invoicesRoutes = {
  list: read(invoices.list, listInvoices),
};
