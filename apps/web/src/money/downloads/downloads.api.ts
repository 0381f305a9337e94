import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';

/** A signed link to a file, and the name to save it under. */
export type Link = { path: string; fileName: string };

export const saveLink = ({ path, fileName }: Link) => saveStoredFile({ path, name: fileName });

/** `downloads.statement`: the worker's own statement as a file. */
export const useStatementLink = () => useMutation(apiQuery.downloads.statement.mutationOptions());
export const useBusinessStatementLink = () =>
  useMutation(apiQuery.downloads.businessStatement.mutationOptions());
export const useInvoiceLink = () => useMutation(apiQuery.downloads.invoice.mutationOptions());
