import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { engagementMoves } from '../engagements/engagements.api.ts';

/** `disputes.file`. Either side. */
export const useFileDispute = () =>
  useMutation(apiQuery.disputes.file.mutationOptions(engagementMoves(useQueryClient())));
/** `disputes.answer`: the other side says its amount. */
export const useAnswerDispute = () =>
  useMutation(apiQuery.disputes.answer.mutationOptions(engagementMoves(useQueryClient())));
/** `disputes.propose`: an amount to settle on. Either side. */
export const useProposeDispute = () =>
  useMutation(apiQuery.disputes.propose.mutationOptions(engagementMoves(useQueryClient())));
/** `disputes.acceptProposal`. The side that did not propose. */
export const useAcceptProposalDispute = () =>
  useMutation(apiQuery.disputes.acceptProposal.mutationOptions(engagementMoves(useQueryClient())));
