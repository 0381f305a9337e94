/** Operators never answer or close their own requests. */
export const mayAnswer = (operatorId: string, ticket: { account_id: string | null }): boolean =>
  ticket.account_id !== operatorId;
