import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

/** `chatReports.create`. */
export const useReportConversation = () => useMutation(apiQuery.chatReports.create.mutationOptions());
