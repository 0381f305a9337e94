/** Who a decision is about: one account, or the members of one business; and who reported it. */
export type Concerned = { accountIds: readonly string[] };

/** Operators never decide about themselves, a business they are a member of, or what they reported. */
export const mayDecideAbout = (operatorId: string, { accountIds }: Concerned): boolean =>
  !accountIds.includes(operatorId);
