import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';

export type DownloadLink = { path: string; fileName: string };

export const saveLink = ({ path, fileName }: DownloadLink) => saveStoredFile({ path, name: fileName });

export const useStatementLink = () => useMutation(apiQuery.downloads.statement.mutationOptions());
export const useBusinessStatementLink = () =>
  useMutation(apiQuery.downloads.businessStatement.mutationOptions());
export const useInvoiceLink = () => useMutation(apiQuery.downloads.invoice.mutationOptions());
export const useWorkerInvoiceLink = () => useMutation(apiQuery.downloads.workerInvoice.mutationOptions());
export const useMonthLink = () => useMutation(apiQuery.downloads.month.mutationOptions());
export const useReceiptLink = () => useMutation(apiQuery.downloads.receipt.mutationOptions());
