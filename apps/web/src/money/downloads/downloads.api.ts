import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';

/** A signed link to a file, and the name to save it under. */
export type Link = { path: string; fileName: string };

/** Saves the file of a link. */
export const saveLink = ({ path, fileName }: Link) => saveStoredFile({ path, name: fileName });

/** `downloads.statement`: the worker's own statement as a file. */
export const useStatementLink = () => useMutation(apiQuery.downloads.statement.mutationOptions());
/** `downloads.businessStatement`: the statement of a business. */
export const useBusinessStatementLink = () =>
  useMutation(apiQuery.downloads.businessStatement.mutationOptions());
/** `downloads.invoice`: one invoice as PDF. */
export const useInvoiceLink = () => useMutation(apiQuery.downloads.invoice.mutationOptions());
